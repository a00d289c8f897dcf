const FIRST_DELAY_MS = 500
const MAX_DELAY_MS = 15_000
/**
 * Number of failures after which the page reloads. The script may no longer exist after a deployment, or the browser
 * may cache the failed import.
 */
const FAILURES_BEFORE_RELOAD = 3

/**
 * Runs a dynamic import until it succeeds: retries it with backoff, and when the browser is online again. Never
 * rejects, because React unmounts an island if a lazy chunk rejects.
 */
export async function loadWithRetry<Script>(load: () => Promise<Script>): Promise<Script> {
  for (let failures = 1, delayMs = FIRST_DELAY_MS; ; failures++, delayMs = Math.min(2 * delayMs, MAX_DELAY_MS))
    try {
      return await load()
    } catch (error) {
      console.debug(error)
      if (failures >= FAILURES_BEFORE_RELOAD) await reloadPageOnce()
      await new Promise((resolve) => {
        setTimeout(resolve, delayMs)
        addEventListener('online', resolve, { once: true })
      })
    }
}

/** Reloads the page if the server responds, no text field has the focus, and this page load is not a reload. */
async function reloadPageOnce(): Promise<void> {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (navigation?.type === 'reload' || document.activeElement?.matches('input, textarea')) return
  const isReachable = await fetch(location.href, { method: 'HEAD' }).then(
    ({ ok }) => ok,
    () => false,
  )
  if (isReachable) location.reload()
}
