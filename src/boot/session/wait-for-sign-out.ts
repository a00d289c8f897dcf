import { COOKIE_POLL_MAX_MS, COOKIE_POLL_MS } from '../../../contract/wire/constants.ts'
import { isMarkedSignedIn, leavePage } from '../page/leave-page.ts'

/** Waits at most 10 s until the marker cookie is removed (OPEN-50). Returns true if the cookie was removed. */
export function waitForSignedInMarkerRemoval(): Promise<boolean> {
  return new Promise((resolve) => {
    if (!isMarkedSignedIn()) return resolve(true)
    const deadline = Date.now() + COOKIE_POLL_MAX_MS
    const poll = setInterval(() => {
      const isGone = !isMarkedSignedIn()
      if (!isGone && Date.now() < deadline) return
      clearInterval(poll)
      resolve(isGone)
    }, COOKIE_POLL_MS)
  })
}

/** Opens `/user/redirect` if the marker cookie is removed within 10 s; otherwise stays on the page. */
export async function leaveAfterSignOut(): Promise<void> {
  if (await waitForSignedInMarkerRemoval()) leavePage('/user/redirect?elsewhere')
}
