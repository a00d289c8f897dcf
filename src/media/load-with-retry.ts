const FIRST_MS = 500
const LONGEST_MS = 15_000
/** Failures after which the script may be gone: another build is served by now, or the browser keeps in mind that it failed. */
const DOUBTED = 3

/**
 * Asks for a script until it comes, sooner and later, and at once when the connection is back: a page that lost it while it
 * was still loading goes on from there. React takes a whole island away of which a part cannot be had. Never rejects.
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

/** Once, where the page itself can be had, and nobody is writing. */
async function loadPageAgain(): Promise<void> {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (visit?.type === 'reload' || document.activeElement?.matches('input, textarea')) return
  const isThere = await fetch(location.href, { method: 'HEAD' }).then(
    ({ ok }) => ok,
    () => false,
  )
  if (isThere) location.reload()
}
