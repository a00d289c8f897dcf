import { configureClient } from '../api/client.ts'
import { createRefresher, type Refresher } from '../api/refresh.ts'
import { xsrfToken } from '../api/xsrf.ts'
import { KEYS, local } from './storage.ts'
import { $webAppToken } from './session.ts'

export interface Surroundings {
  readonly fetch: typeof fetch
  /** Leaves for a path; the page ends here. */
  readonly leave: (path: string) => void
  readonly wait: (ms: number) => Promise<void>
  /** Shows what the catalogue says of a failure. */
  readonly failed: (code: string, status: number) => void
}

const LOCK = 'porchlight-token-refresh'

/** One refresh at a time over all tabs; without Web Locks the edge's own single flight has to do (OPEN-17). */
export function acrossTabs<T>(task: () => Promise<T>): Promise<T> {
  return 'locks' in navigator ? (navigator.locks.request(LOCK, task) as Promise<T>) : task()
}

/** Connects the API client with the session, the toasts and the page. Once per page, before the first request. */
export function connect({ fetch, leave, wait, failed }: Surroundings): Refresher {
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
    failed,
    signedOut: () => leave('/user/redirect'),
  })
  return refresher
}
