import { fetchCurrentUser } from '../../api/current-user.ts'
import { checkRedirectLoop, parseRedirectTimes } from '../../domain/navigation/redirect-loop-guard.ts'
import { clearSignedInUser } from '../../stores/session/clear-signed-in-user.ts'
import { PUBLIC_PAGE_KEYS, safeLocalStorage, safeSessionStorage, TAB_KEYS } from '../../stores/storage/safe-storage.ts'
import { toastOnNextPage } from '../frame/toast-on-next-page.ts'
import { handleRedirectUrl } from '../page/follow-redirect-url.ts'
import { leavePage } from '../page/leave-page.ts'
import { showErrorScreen } from '../page/error-screen.ts'

/**
 * Limit for returns to a page that fails repeatedly (OPEN-06): the second return within a minute shows an error
 * instead.
 */
const RETURN_LIMIT = { count: 2, windowMs: 60_000 }

/**
 * This page opens after a failed authentication (OPEN-131). If the session is alive, the page returns to the last
 * visited path. If the session has ended, the page clears the session data and opens `/`. If the portal is unreachable,
 * the page shows an error.
 */
if (!(await handleRedirectUrl())) void openPage()

async function openPage(): Promise<void> {
  const result = await fetchCurrentUser(fetch)
  if (result.who === 'unreachable') showErrorScreen('down')
  else if (result.who === 'user') returnUnlessLooping()
  else endSession()
}

function returnUnlessLooping(): void {
  const { tooOften, times } = checkRedirectLoop(
    parseRedirectTimes(safeSessionStorage.read(TAB_KEYS.returnTimes)),
    Date.now(),
    RETURN_LIMIT,
  )
  safeSessionStorage.write(TAB_KEYS.returnTimes, times.join())
  if (tooOften) showErrorScreen('refused')
  else leavePage('/user/callback')
}

function endSession(): void {
  // If the id of the device session is missing, another tab has signed out, so this tab clears its session storage.
  // After an expired session the id is still stored, and the tab keeps its data.
  if (!safeLocalStorage.read(PUBLIC_PAGE_KEYS.kountSessionId)) safeSessionStorage.clear()
  const wasSignedIn = safeLocalStorage.read(PUBLIC_PAGE_KEYS.userId) !== null
  clearSignedInUser()
  for (const key of [PUBLIC_PAGE_KEYS.webAppToken, PUBLIC_PAGE_KEYS.refreshDue]) safeLocalStorage.remove(key)
  const error = new URLSearchParams(location.search).get('error')
  if (error) toastOnNextPage(error === 'still_known' ? 'warning' : 'error', getOauthErrorText(error))
  else if (location.search === '?elsewhere') toastOnNextPage('success', 'You were logged out in another tab.')
  else if (wasSignedIn) toastOnNextPage('warning', 'Your session has ended. Log in again.')
  leavePage('/')
}

/**
 * Returns the text for an OAuth error from the document, which contains the standard texts (OPEN-14). An unknown code
 * counts as a server error.
 */
function getOauthErrorText(error: string): string {
  const texts = document.querySelectorAll<HTMLElement>('[data-oauth-error]')
  const found = [...texts].find(({ dataset }) => dataset.oauthError === error) ?? texts[0]
  return found?.textContent ?? ''
}
