import { COOKIE_POLL_MAX_MS, COOKIE_POLL_MS } from '../../../contract/wire/constants.ts'
import { isMarkedSignedIn, leave } from '../page/leave-page.ts'

/** Waits until the marker cookie is gone, at most 10 s (OPEN-50). Returns true if the cookie is gone. */
export function markerGone(): Promise<boolean> {
  return new Promise((resolve) => {
    if (!isMarkedSignedIn()) return resolve(true)
    const ends = Date.now() + COOKIE_POLL_MAX_MS
    const poll = setInterval(() => {
      const isGone = !isMarkedSignedIn()
      if (!isGone && Date.now() < ends) return
      clearInterval(poll)
      resolve(isGone)
    }, COOKIE_POLL_MS)
  })
}

/** Leaves the page unless an account is still signed in. */
export async function leaveWhenGone(): Promise<void> {
  if (await markerGone()) leave('/user/redirect?elsewhere')
}
