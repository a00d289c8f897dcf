import { configureClient } from '../../api/client.ts'
import { createRefresher, type Refresher } from '../../api/refresh.ts'
import { xsrfToken } from '../../api/xsrf.ts'
import { KEYS, local } from '../storage/storage.ts'
import { $webAppToken } from './session.ts'

export interface Surroundings {
  readonly fetch: typeof fetch
  /** Leaves for a path; the page ends here. */
  readonly leave: (path: string) => void
  readonly wait: (ms: number) => Promise<void>
}

const LOCK = 'porchlight-token-refresh'

/** How long after another tab's refresh its new token may still be on its way to this one, ms. */
const TOLD_WITHIN_MS = 300

/**
 * One refresh at a time over all tabs; without Web Locks the edge's own single flight has to do (OPEN-17). A tab that has
 * waited for another looks at the token once that tab's write has come: storage reaches other processes after the lock.
 */
export async function acrossTabs<T>(task: () => Promise<T>): Promise<T> {
  if (!('locks' in navigator)) return task()
  const { locks } = navigator
  const done = await locks.request(LOCK, { ifAvailable: true }, async (lock) => lock && { outcome: await task() })
  if (done) return done.outcome
  let stop = () => {}
  const told = new Promise<void>((resolve) => (stop = $webAppToken.listen(() => resolve())))
  const late = () => new Promise((resolve) => setTimeout(resolve, TOLD_WITHIN_MS))
  return locks.request(LOCK, () => Promise.race([told, late()]).then(task)).finally(stop)
}

/** Connects the API client with the session and the page. Once per page, before the first request. */
export function connect({ fetch, leave, wait }: Surroundings): Refresher {
  const token = () => local.read(KEYS.webAppToken) ?? ''
  const refresher = createRefresher({
    fetch,
    xsrf: xsrfToken,
    token,
    keepToken: (next) => $webAppToken.set(next),
    lock: acrossTabs,
    wait,
  })
  configureClient({
    fetch,
    token,
    xsrf: xsrfToken,
    refresh: refresher.forRequests,
    signedOut: () => leave('/user/redirect'),
  })
  return refresher
}
