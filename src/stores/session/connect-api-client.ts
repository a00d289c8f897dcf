import { configureClient } from '../../api/api-client.ts'
import { createRefresher, type RefreshOutcome, type Refresher } from '../../api/token-refresh.ts'
import { xsrfToken } from '../../api/xsrf.ts'
import { STORAGE_KEYS, safeLocalStorage } from '../storage/storage-keys.ts'
import { $webAppToken } from './session.ts'

export interface ApiClientEnvironment {
  readonly fetch: typeof fetch
  readonly navigate: (path: string) => void
  readonly wait: (ms: number) => Promise<void>
}

const REFRESH_LOCK = 'porchlight-token-refresh'

/** Time for which a tab announces a finished refresh, ms. Other tabs wait at most this long for the new token. */
const TOKEN_ANNOUNCEMENT_MS = 3000

/**
 * Runs one token refresh at a time across tabs (OPEN-17). After a refresh, holds a second lock named after
 * `failedToken`, because other tabs may see the new token late. While that lock is held, the other tabs wait.
 */
export async function refreshAcrossTabs(
  failedToken: string,
  task: () => Promise<RefreshOutcome>,
): Promise<RefreshOutcome> {
  if (!('locks' in navigator)) return task()
  const { locks } = navigator
  const doneLock = `${REFRESH_LOCK}-done ${failedToken}`
  return locks.request(REFRESH_LOCK, async () => {
    const { held } = await locks.query()
    if (held?.some(({ name }) => name === doneLock)) await waitForNewToken(failedToken)
    const outcome = await task()
    if (outcome === 'refreshed')
      await new Promise<void>((onLockHeld) => {
        void locks.request(doneLock, { mode: 'shared' }, () => (onLockHeld(), delay(TOKEN_ANNOUNCEMENT_MS)))
      })
    return outcome
  })
}

/**
 * Waits until this tab sees a token other than `failedToken`, at most `TOKEN_ANNOUNCEMENT_MS`. After a timeout, this
 * tab sends its own refresh, and the edge decides its outcome.
 */
async function waitForNewToken(failedToken: string): Promise<void> {
  if (readStoredToken() !== failedToken) return
  let stop = () => {}
  const tokenChange = new Promise<void>((resolve) => (stop = $webAppToken.listen(() => resolve())))
  await Promise.race([tokenChange, delay(TOKEN_ANNOUNCEMENT_MS)]).finally(stop)
}

const delay = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
const readStoredToken = () => safeLocalStorage.read(STORAGE_KEYS.webAppToken) ?? ''

/** Connects the API client to the session and the page. Call it once per page, before the first request. */
export function connectApiClient({ fetch, navigate, wait }: ApiClientEnvironment): Refresher {
  const refresher = createRefresher({
    fetch,
    xsrf: xsrfToken,
    token: readStoredToken,
    storeToken: (next) => $webAppToken.set(next),
    runExclusively: refreshAcrossTabs,
    wait,
  })
  configureClient({
    fetch,
    token: readStoredToken,
    xsrf: xsrfToken,
    refresh: refresher.refreshForRequests,
    onSignedOut: () => navigate('/user/redirect'),
  })
  return refresher
}
