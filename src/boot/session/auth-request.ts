import { AUTH_CALL_TIMEOUT_MS, XSRF_HEADER } from '../../../contract/wire/constants.ts'
import { send } from '../../api/http-transport.ts'
import { xsrfToken } from '../../api/xsrf.ts'
import { FIRST_KEYS, local } from '../../stores/storage/safe-storage.ts'

/** Asks one of the edge's own auth routes; answers status and body, status 0 when no answer arrives. */
export async function postAuthRoute(
  path: string,
  input: unknown,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const at = Date.now()
  const answer = await send(
    path,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', [XSRF_HEADER]: xsrfToken() },
      body: JSON.stringify(input),
    },
    { fetch, timeout: AUTH_CALL_TIMEOUT_MS },
  )
  const status = answer.status
  // The log is written before the page is left, for somebody who is still known here (OPEN-137); it holds nothing up that fails.
  if (local.read(FIRST_KEYS.userId)) {
    const log = await import('../../stores/shell/action-log.ts').catch(() => null)
    log?.logExchanges([{ at, method: 'POST', url: path, status, ms: Date.now() - at }])
  }
  return { status, body: ((answer.ok && answer.body) || {}) as Record<string, unknown> }
}
