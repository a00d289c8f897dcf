import { fetchCurrentUser } from '../../api/current-user.ts'

const FIRST_DELAY_MS = 2000
const MAX_DELAY_MS = 60_000

/**
 * Retries the current-user call with backoff until its result is not `unreachable`, then calls `onResponse` (OPEN-163).
 */
export async function retryCurrentUser(fetcher: typeof fetch, onResponse: () => void): Promise<void> {
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(delayMs * 2, MAX_DELAY_MS)) {
    await new Promise((resolve) => setTimeout(resolve, delayMs))
    if ((await fetchCurrentUser(fetcher)).who !== 'unreachable') return onResponse()
  }
}
