import { configureClient } from '../../api/api-client.ts'
import { createRefresher, type RefreshOutcome, type Refresher } from '../../api/token-refresh.ts'
import { xsrfToken } from '../../api/xsrf.ts'
import { KEYS, local } from '../storage/storage-keys.ts'
import { $webAppToken } from './session.ts'

export interface Surroundings {
  readonly fetch: typeof fetch
  /** Navigates to a path, which ends the current page. */
  readonly leave: (path: string) => void
  readonly wait: (ms: number) => Promise<void>
}

const LOCK = 'porchlight-token-refresh'

/** Time for which a tab announces its refresh to the other tabs, and for which they wait for the new token, ms. */
const TOLD_WITHIN_MS = 3000

/**
 * Runs one refresh at a time across tabs; without Web Locks, the edge's single flight must suffice (OPEN-17). Another
 * process can get the lock before it sees the new token in storage. A tab that has refreshed therefore holds a second
 * lock, named after the `failed` token, as a sign that a new token will arrive.
 */
export async function acrossTabs(failed: string, task: () => Promise<RefreshOutcome>): Promise<RefreshOutcome> {
  if (!('locks' in navigator)) return task()
  const { locks } = navigator
  const mark = `${LOCK}-done ${failed}`
  return locks.request(LOCK, async () => {
    const { held } = await locks.query()
    if (held?.some(({ name }) => name === mark)) await toldOfToken(failed)
    const outcome = await task()
    if (outcome === 'refreshed')
      await new Promise<void>((isHeld) => {
        void locks.request(mark, { mode: 'shared' }, () => (isHeld(), later(TOLD_WITHIN_MS)))
      })
    return outcome
  })
}

/**
 * Waits until this tab sees a token other than `failed`, at most `TOLD_WITHIN_MS`. If none arrives, the edge decides.
 */
async function toldOfToken(failed: string): Promise<void> {
  if (usedToken() !== failed) return
  let stop = () => {}
  const tokenChange = new Promise<void>((resolve) => (stop = $webAppToken.listen(() => resolve())))
  await Promise.race([tokenChange, later(TOLD_WITHIN_MS)]).finally(stop)
}

const later = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
const usedToken = () => local.read(KEYS.webAppToken) ?? ''

/** Connects the API client to the session and the page. Call it once per page, before the first request. */
export function connect({ fetch, leave, wait }: Surroundings): Refresher {
  const refresher = createRefresher({
    fetch,
    xsrf: xsrfToken,
    token: usedToken,
    keepToken: (next) => $webAppToken.set(next),
    lock: acrossTabs,
    wait,
  })
  configureClient({
    fetch,
    token: usedToken,
    xsrf: xsrfToken,
    refresh: refresher.forRequests,
    signedOut: () => leave('/user/redirect'),
  })
  return refresher
}
