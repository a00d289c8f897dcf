import { fetchCurrentUser } from '../../api/current-user.ts'
import { xsrfToken } from '../../api/xsrf.ts'
import { clearUserScoped, FIRST_KEYS, local, tab, TAB_KEYS } from '../../stores/storage/safe-storage.ts'
import { isMarkedSignedIn, leave } from '../page/leave-page.ts'
import { postAuthRoute } from './auth-request.ts'
import { showTrouble } from '../page/error-screen.ts'

/**
 * Ends the session at the server and forgets the user on this browser, then goes home (AUTH-26). Whoever is signed in and does
 * not come from a page of the portal is asked first: any site can link here. The answer is a press, since some browsers never
 * say where they come from.
 */
if (isMarkedSignedIn() && !document.referrer.startsWith(origin + '/')) {
  showTrouble('ask')
  document.getElementById('logout')!.onclick = () => (void signOut(), false)
} else void signOut()

async function signOut(): Promise<void> {
  // First: a tab that is refused before the answer is here must know that somebody signs out.
  local.remove(FIRST_KEYS.kountSessionId)
  if (!xsrfToken()) await fetchCurrentUser(fetch)
  const { status, body } = await postAuthRoute('/api/auth/logout', {})
  if (status === 200 || status === 401) {
    clearUserScoped()
    tab.write(TAB_KEYS.nextToast, 'success You are logged out.')
    leave(String(body.url ?? '/'))
  } else showTrouble('sign-out')
}
