import { fetchCurrentUser } from '../../api/current-user.ts'
import { xsrfToken } from '../../api/xsrf.ts'
import {
  clearUserData,
  PUBLIC_PAGE_KEYS,
  safeLocalStorage,
  safeSessionStorage,
  TAB_KEYS,
} from '../../stores/storage/safe-storage.ts'
import { isMarkedSignedIn, leavePage } from '../page/leave-page.ts'
import { postAuthRoute } from './auth-request.ts'
import { showErrorScreen } from '../page/error-screen.ts'

/**
 * Ends the session on the server, clears this browser's data, and opens the URL from the response, or `/` if there is
 * none (AUTH-26). Signed-in users must confirm with a button unless the referrer is a page of this portal, because any
 * site can link here.
 */
if (isMarkedSignedIn() && !document.referrer.startsWith(origin + '/')) {
  showErrorScreen('ask')
  document.getElementById('logout')!.onclick = () => (void signOut(), false)
} else void signOut()

async function signOut(): Promise<void> {
  // Removes the device session's id before the call, so that a rejected request in another tab detects the sign-out.
  safeLocalStorage.remove(PUBLIC_PAGE_KEYS.kountSessionId)
  if (!xsrfToken()) await fetchCurrentUser(fetch)
  const { status, body } = await postAuthRoute('/api/auth/logout', {})
  if (status === 200 || status === 401) {
    clearUserData()
    safeSessionStorage.write(TAB_KEYS.nextToast, 'success You are logged out.')
    leavePage(String(body.url ?? '/'))
  } else showErrorScreen('sign-out')
}
