import { getEarlyToken } from '../../early/early-fetch.ts'
import { fetchCurrentUser, type CurrentUser } from '../../api/current-user.ts'
import { $webAppToken, storeCurrentUser } from '../../stores/session/session.ts'
import { preferNewerToken } from '../../stores/session/prefer-newer-token.ts'
import { postponeRefresh, startRefreshTimer } from '../../stores/session/refresh-timer.ts'
import { safeLocalStorage, safeSessionStorage, STORAGE_KEYS, TAB_KEYS } from '../../stores/storage/storage-keys.ts'
import { leaveOnce, pageFetch, refresher } from '../session/api-client.ts'
import { trapFocusInDrawer } from '../frame/drawer.ts'
import { isSignInPage } from '../../domain/navigation/sign-in-pages.ts'
import { showErrorScreen } from './error-screen.ts'
import { whenIdle } from './when-idle.ts'
import { recordSignedInRequests } from '../telemetry/record-signed-in-requests.ts'
import { watchSignOut } from '../session/watch-sign-out.ts'
import { handleRedirectUrl } from './follow-redirect-url.ts'
import { rememberPath } from './remember-path.ts'
import { showCurrentUser } from '../session/show-current-user.ts'

/** Script of every protected page: shows `loading...` until the server has returned the current user (AUTH-01). */
let isBroken = false
// Runs before islands render. Other pages show no dates.
document.documentElement.dataset['formats'] = safeLocalStorage.read(STORAGE_KEYS.formats) ?? ''
addEventListener('astro:hydration-error', showLoadError)
trapFocusInDrawer()
openPage().catch(showLoadError)

async function openPage(): Promise<void> {
  if (await handleRedirectUrl()) return
  rememberPath()
  const token = getEarlyToken('GET', '/api/auth/me', '') ?? $webAppToken.get()
  const result = await fetchCurrentUser(pageFetch)
  if (result.who === 'user') return showPage(preferNewerToken(result.me, token))
  recordSignedInRequests()
  storeCurrentUser(null)
  showCurrentUser(result.who === 'unreachable' ? 'unknown' : 'nobody')
  if (result.who === 'unreachable') {
    showLoadError()
    const { retryCurrentUser: retryUntilReachable } = await import('./retry-current-user.ts')
    return retryUntilReachable(pageFetch, () => location.reload())
  }
  const { signInAndReportSession } = await import('../session/sign-in-and-report-session.ts')
  // Pages below /user are no return target (OPEN-135).
  await signInAndReportSession(isSignInPage(location.pathname) ? '' : location.pathname + location.search)
}

/**
 * Shows an error if a script fails to load or the portal is unreachable, so that the page does not wait forever
 * (OPEN-163).
 */
function showLoadError(): void {
  isBroken = true
  document.getElementById('content')?.setAttribute('hidden', '')
  showErrorScreen('down')
}

function showPage(user: CurrentUser): void {
  if (user.web_app_token !== $webAppToken.get()) postponeRefresh(Date.now())
  storeCurrentUser(user)
  safeSessionStorage.remove(TAB_KEYS.authorizeTimes)
  document.getElementById('loading')?.remove()
  const content = document.getElementById('content')
  if (content) content.hidden = isBroken
  showCurrentUser('user', user.user_account)
  void import('../frame/restore-scroll.ts').then(
    ({ restoreScroll: startScrollRestoration }) => startScrollRestoration(),
    console.debug,
  )
  startRefreshTimer(refresher, () => leaveOnce('/user/redirect'))
  watchSignOut()
  void startDeferredTasks(user)
}

/** Starts the deferred tasks when the page is idle. On /live, the video comes first. */
async function startDeferredTasks(user: CurrentUser): Promise<void> {
  await window.firstScreen
  whenIdle(() => {
    void import('./deferred-tasks.ts').then(({ runDeferredTasks }) => runDeferredTasks(user)).catch(console.debug)
    // Loads the locale data of the browser, which takes 60 ms on a phone. Otherwise, React would do it while rendering.
    Intl.DateTimeFormat.supportedLocalesOf('en')
  })
}
