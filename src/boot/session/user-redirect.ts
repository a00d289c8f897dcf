import { fetchCurrentUser } from '../../api/current-user.ts'
import { guard, parseTimes } from '../../domain/navigation/redirect-loop-guard.ts'
import { resetSession } from '../../stores/session/reset-session.ts'
import { FIRST_KEYS, local, tab, TAB_KEYS } from '../../stores/storage/safe-storage.ts'
import { toastOnNextPage } from '../frame/toast-on-next-page.ts'
import { handleRedirectUrl } from '../page/follow-redirect-url.ts'
import { leave } from '../page/leave-page.ts'
import { showTrouble } from '../page/error-screen.ts'

/**
 * Limits returns to a page that fails repeatedly to one per minute (OPEN-06): the second attempt within a minute shows
 * an error.
 */
const RETURNS = { count: 2, windowMs: 60_000 }

/**
 * Page that opens after a failed authentication (OPEN-131). If the session is alive, it returns to the previous page;
 * if the session has ended, it clears the session data and opens `/`.
 */
if (!(await handleRedirectUrl())) void open()

async function open(): Promise<void> {
  const answer = await fetchCurrentUser(fetch)
  if (answer.who === 'unreachable') showTrouble('down')
  else if (answer.who === 'user') returnOrStop()
  else endSession()
}

function returnOrStop(): void {
  const { tooOften, times } = guard(parseTimes(tab.read(TAB_KEYS.returnTimes)), Date.now(), RETURNS)
  tab.write(TAB_KEYS.returnTimes, times.join())
  if (tooOften) showTrouble('refused')
  else leave('/user/callback')
}

function endSession(): void {
  // A missing id means that another tab signed out, so this tab clears its data. After an expired session the id is
  // still stored, and the tab keeps its data.
  if (!local.read(FIRST_KEYS.kountSessionId)) tab.clear()
  const wasSignedIn = local.read(FIRST_KEYS.userId) !== null
  resetSession()
  for (const key of [FIRST_KEYS.webAppToken, FIRST_KEYS.refreshDue]) local.remove(key)
  const error = new URLSearchParams(location.search).get('error')
  if (error) toastOnNextPage(error === 'still_known' ? 'warning' : 'error', oauthText(error))
  else if (location.search === '?elsewhere') toastOnNextPage('success', 'You were logged out in another tab.')
  else if (wasSignedIn) toastOnNextPage('warning', 'Your session has ended. Please log in again.')
  leave('/')
}

/**
 * Returns the text for an OAuth error from the document, which contains the standard texts (OPEN-14). An unknown code
 * counts as a server error.
 */
function oauthText(error: string): string {
  const texts = document.querySelectorAll<HTMLElement>('[data-oauth-error]')
  const found = [...texts].find(({ dataset }) => dataset.oauthError === error) ?? texts[0]
  return found?.textContent ?? ''
}
