import { fetchCurrentUser } from '../../api/current-user.ts'
import { send } from '../../api/http-transport.ts'
import { safeSessionStorage, TAB_KEYS } from '../../stores/storage/safe-storage.ts'
import { handleRedirectUrl } from '../page/follow-redirect-url.ts'
import { leavePage } from '../page/leave-page.ts'
import { ensureKountSessionId, redirectToSignIn } from './sign-in.ts'
import { showErrorScreen } from '../page/error-screen.ts'

/** The login page starts the sign-in flow with an empty state (AUTH-17). Signed-in users continue to /user/callback. */
// If `redirecturl` names a coupon, the target page starts the sign-in instead.
if (!(await handleRedirectUrl())) {
  const { who: userState } = await fetchCurrentUser(fetch)
  if (userState === 'user') leavePage('/user/callback')
  else if (userState === 'unreachable') showErrorScreen('down')
  else {
    // A visit from a page of the portal is deliberate, so it does not count as a redirect loop.
    if (document.referrer.startsWith(origin)) safeSessionStorage.remove(TAB_KEYS.authorizeTimes)
    void redirectToSignIn('')
    // Reports the device session to the collector URL in the document (scripts/lib/site.ts), without waiting for the
    // response.
    const { collector, client } = document.body.dataset
    if (client) {
      void send(
        collector!.replace('*', ensureKountSessionId()) + crypto.randomUUID(),
        { method: 'POST', headers: { 'client-id': client }, keepalive: true },
        { fetch },
      )
      // The page's form appears after the same delay (pages/user/login.astro).
      setTimeout(() => void import('./sign-in-form.ts').catch(console.debug), 2000)
    }
  }
}
