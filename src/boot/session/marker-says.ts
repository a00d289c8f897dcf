import { COOKIE_POLL_MAX_MS, COOKIE_POLL_MS } from '../../../contract/constants.ts'
import { isMarkedSignedIn } from '../page/page.ts'

/** Waits until the marker cookie says `expected`, at most 10 s (OPEN-50). Answers whether it came to say so. */
export function markerSays(expected: boolean): Promise<boolean> {
  return new Promise((resolve) => {
    if (isMarkedSignedIn() === expected) return resolve(true)
    const ends = Date.now() + COOKIE_POLL_MAX_MS
    const poll = setInterval(() => {
      const says = isMarkedSignedIn() === expected
      if (!says && Date.now() < ends) return
      clearInterval(poll)
      resolve(says)
    }, COOKIE_POLL_MS)
  })
}
