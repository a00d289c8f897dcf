const FIRST_MS = 500
const LONGEST_MS = 15_000
/** Failures after which the script may be gone: a new build is deployed, or the browser caches the failed import. */
const DOUBTED = 3

/**
 * Retries a dynamic import with backoff and on `online`. Never rejects: React unmounts an island if a lazy chunk
 * rejects.
 */
export async function loadWithRetry<Script>(load: () => Promise<Script>): Promise<Script> {
  for (let failures = 1, wait = FIRST_MS; ; failures++, wait = Math.min(2 * wait, LONGEST_MS))
    try {
      return await load()
    } catch (error) {
      console.debug(error)
      if (failures >= DOUBTED) await loadPageAgain()
      await new Promise((resolve) => {
        setTimeout(resolve, wait)
        addEventListener('online', resolve, { once: true })
      })
    }
}

/** Reloads the page once, if the server responds and no text field has the focus. */
async function loadPageAgain(): Promise<void> {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (visit?.type === 'reload' || document.activeElement?.matches('input, textarea')) return
  const isThere = await fetch(location.href, { method: 'HEAD' }).then(
    ({ ok }) => ok,
    () => false,
  )
  if (isThere) location.reload()
}
