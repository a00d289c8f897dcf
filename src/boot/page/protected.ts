import { earlyToken } from '../../api/early-fetch.ts'
import { askWho, type Me } from '../../api/me.ts'
import { $webAppToken, settleSession } from '../../stores/session/session.ts'
import { sinceThen } from '../../stores/session/since-then.ts'
import { postponeRefresh, startRefreshTimer } from '../../stores/session/refresh-timer.ts'
import { tab, TAB_KEYS } from '../../stores/storage/storage.ts'
import { leaveOnce, pageFetch, refresher } from '../session/connected.ts'
import { holdFocusInDrawer } from '../frame/drawer.ts'
import { isSignInPage } from '../../domain/sign-in-pages.ts'
import { whenIdle } from './idle.ts'
import { recordKnown } from '../log/record-known.ts'
import { watchMarker } from '../session/marker.ts'
import { followRedirectUrl } from './follow-redirect-url.ts'
import { rememberPath } from './on-load.ts'
import { showWho } from '../session/who.ts'

/** What every protected page runs: `loading...` until the server has said who is signed in (AUTH-01). */
let isBroken = false
addEventListener('astro:hydration-error', () => void giveUp())
holdFocusInDrawer()
open().catch(giveUp)

async function open(): Promise<void> {
  if (await followRedirectUrl()) return
  rememberPath()
  const token = earlyToken('GET', '/api/auth/me', '') ?? $webAppToken.get()
  const answer = await askWho(pageFetch)
  if (answer.who === 'user') return enter(sinceThen(answer.me, token))
  recordKnown()
  settleSession(null)
  showWho(answer.who === 'unreachable' ? 'unknown' : 'nobody')
  if (answer.who === 'unreachable') {
    await giveUp()
    const { askUntilAnswered } = await import('./ask-again.ts')
    return askUntilAnswered(pageFetch, () => location.reload())
  }
  const { signInFrom } = await import('../session/sign-in-from.ts')
  // A page below /user is nothing to come back to (OPEN-135).
  await signInFrom(isSignInPage(location.pathname) ? '' : location.pathname + location.search)
}

/** A script that does not come leaves no page that waits for ever (OPEN-163). */
async function giveUp(): Promise<void> {
  isBroken = true
  document.getElementById('content')?.setAttribute('hidden', '')
  const { showTrouble } = await import('./trouble.ts')
  showTrouble('down')
}

function enter(me: Me): void {
  if (me.web_app_token !== $webAppToken.get()) postponeRefresh(Date.now())
  settleSession(me)
  tab.remove(TAB_KEYS.authorizeTimes)
  document.getElementById('loading')?.remove()
  const content = document.getElementById('content')
  if (content) content.hidden = isBroken
  showWho('user', me.user_account)
  void import('../frame/scroll.ts').then(({ keepScroll }) => keepScroll(), console.debug)
  startRefreshTimer(refresher, () => leaveOnce('/user/redirect'))
  watchMarker()
  whenIdle(() => void import('./extras.ts').then(({ sayLastDay }) => sayLastDay(me, Date.now()), console.debug))
}
