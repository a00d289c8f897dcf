import { AUTH_CALL_TIMEOUT_MS, XSRF_HEADER } from '../../../contract/wire/constants.ts'
import { send } from '../../api/http-transport.ts'
import { xsrfToken } from '../../api/xsrf.ts'
import { PUBLIC_PAGE_KEYS, safeLocalStorage } from '../../stores/storage/safe-storage.ts'

/** Calls one of the edge's own auth routes and returns status and body; status 0 means no response. */
export async function postAuthRoute(
  path: string,
  input: unknown,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const at = Date.now()
  const response = await send(
    path,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', [XSRF_HEADER]: xsrfToken() },
      body: JSON.stringify(input),
    },
    { fetch, timeout: AUTH_CALL_TIMEOUT_MS },
  )
  const status = response.status
  // Logs the request before the page is left, if the user is known (OPEN-137). If the log's code fails to load, the
  // caller continues without a log entry.
  if (safeLocalStorage.read(PUBLIC_PAGE_KEYS.userId)) {
    const log = await import('../../stores/shell/action-log.ts').catch(() => null)
    log?.logPost(path, status, at)
  }
  return { status, body: ((response.ok && response.body) || {}) as Record<string, unknown> }
}
