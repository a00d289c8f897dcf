import { earlyToken } from '../../early/early-fetch.ts'
import { fetchCurrentUser, type Me } from '../../api/current-user.ts'
import { $webAppToken, settleSession } from '../../stores/session/session.ts'
import { discardStaleUser } from '../../stores/session/discard-stale-user.ts'
import { postponeRefresh, startRefreshTimer } from '../../stores/session/refresh-timer.ts'
import { tab, TAB_KEYS } from '../../stores/storage/storage-keys.ts'
import { leaveOnce, pageFetch, refresher } from '../session/api-client.ts'
import { holdFocusInDrawer } from '../frame/drawer.ts'
import { isSignInPage } from '../../domain/navigation/sign-in-pages.ts'
import { whenIdle } from './when-idle.ts'
import { recordKnown } from '../telemetry/record-signed-in-requests.ts'
import { watchMarker } from '../session/watch-sign-out.ts'
import { handleRedirectUrl } from './follow-redirect-url.ts'
import { rememberPath } from './remember-path.ts'
import { showCurrentUser } from '../session/show-current-user.ts'

/** Script of every protected page: shows `loading...` until the server has returned the current user (AUTH-01). */
let isBroken = false
addEventListener('astro:hydration-error', () => void giveUp())
holdFocusInDrawer()
open().catch(giveUp)

async function open(): Promise<void> {
  if (await handleRedirectUrl()) return
  rememberPath()
  const token = earlyToken('GET', '/api/auth/me', '') ?? $webAppToken.get()
  const answer = await fetchCurrentUser(pageFetch)
  if (answer.who === 'user') return enter(discardStaleUser(answer.me, token))
  recordKnown()
  settleSession(null)
  showCurrentUser(answer.who === 'unreachable' ? 'unknown' : 'nobody')
  if (answer.who === 'unreachable') {
    await giveUp()
    const { retryCurrentUser: askUntilAnswered } = await import('./retry-current-user.ts')
    return askUntilAnswered(pageFetch, () => location.reload())
  }
  const { signInFrom } = await import('../session/sign-in-and-report-session.ts')
  // Pages below /user are no return target (OPEN-135).
  await signInFrom(isSignInPage(location.pathname) ? '' : location.pathname + location.search)
}

/** If a script fails to load, the page shows an error instead of waiting forever (OPEN-163). */
async function giveUp(): Promise<void> {
  isBroken = true
  document.getElementById('content')?.setAttribute('hidden', '')
  const { showTrouble } = await import('./error-screen.ts')
  showTrouble('down')
}

function enter(me: Me): void {
  if (me.web_app_token !== $webAppToken.get()) postponeRefresh(Date.now())
  settleSession(me)
  tab.remove(TAB_KEYS.authorizeTimes)
  document.getElementById('loading')?.remove()
  const content = document.getElementById('content')
  if (content) content.hidden = isBroken
  showCurrentUser('user', me.user_account)
  void import('../frame/restore-scroll.ts').then(({ restoreScroll: keepScroll }) => keepScroll(), console.debug)
  startRefreshTimer(refresher, () => leaveOnce('/user/redirect'))
  watchMarker()
  whenIdle(() => void import('./deferred-tasks.ts').then(({ sayLastDay }) => sayLastDay(me, Date.now()), console.debug))
}
