import { askWho, type Me } from '../api/me.ts'
import { $webAppToken, settleSession } from '../stores/session.ts'
import { postponeRefresh, startRefreshTimer } from '../stores/refresh-timer.ts'
import { storageWorks, tab, TAB_KEYS } from '../stores/storage.ts'
import { refresher, toasts } from './connected.ts'
import { holdFocusInDrawer } from './drawer.ts'
import { takeEarly } from './early.ts'
import { watchMarker } from './marker.ts'
import { leave, rememberPath } from './page.ts'
import { showWho } from './who.ts'

/** Catalogue code of a browser without storage (OPEN-48). */
const NO_STORAGE = '1002'

/** What every protected page runs: `loading...` until the server has said who is signed in (spec §4). */
holdFocusInDrawer()
rememberPath()
void open()

async function open(): Promise<void> {
  const answer = await askWho((...args) => fetch(...args), takeEarly('me'))
  if (answer.who === 'user') return enter(answer.me)
  settleSession(null)
  showWho('nobody')
  const { showTrouble, signIn } = await import('./sign-in.ts')
  if (answer.who === 'unreachable') return showTrouble('down')
  await signIn(location.pathname + location.search)
}

function enter(me: Me): void {
  if (me.web_app_token !== $webAppToken.get()) postponeRefresh(Date.now())
  settleSession(me)
  tab.remove(TAB_KEYS.authorizeTimes)
  document.getElementById('loading')?.remove()
  const content = document.getElementById('content')
  if (content) content.hidden = false
  showWho('user', me.user_account)
  startRefreshTimer(refresher, () => leave('/user/redirect'))
  watchMarker()
  requestIdleCallback(() => void addExtras(), { timeout: 2000 })
}

/** What the page's own content does not wait for. */
async function addExtras(): Promise<void> {
  const { toastFailure } = await toasts()
  if (!storageWorks()) toastFailure(NO_STORAGE, 0)
  const { showPlansButton } = await import('./plans-button.ts')
  await showPlansButton()
}
