import { fetchCurrentUser } from '../../api/current-user.ts'

const FIRST_WAIT_MS = 2000
const LONGEST_WAIT_MS = 60_000

/** Retries the current-user call with backoff until a server responds, then calls `done` (OPEN-163). */
export async function retryCurrentUser(fetcher: typeof fetch, done: () => void): Promise<void> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    await new Promise((resolve) => setTimeout(resolve, wait))
    if ((await fetchCurrentUser(fetcher)).who !== 'unreachable') return done()
  }
}
