const FIRST_MS = 500
const LONGEST_MS = 15_000

/**
 * Asks for a script until it comes, sooner and later, and at once when the connection is back: a page that lost it while it
 * was still loading goes on from there. React takes a whole island away of which a part cannot be had. Never rejects.
 */
export async function untilLoaded<Script>(load: () => Promise<Script>): Promise<Script> {
  for (let wait = FIRST_MS; ; wait = Math.min(2 * wait, LONGEST_MS))
    try {
      return await load()
    } catch (error) {
      console.debug(error)
      await new Promise((resolve) => {
        setTimeout(resolve, wait)
        addEventListener('online', resolve, { once: true })
      })
    }
}
