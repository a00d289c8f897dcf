import { askWho } from '../../api/me.ts'
import { tab, TAB_KEYS } from '../../stores/storage/box.ts'
import { followRedirectUrl } from '../page/follow-redirect-url.ts'
import { leave } from '../page/page.ts'
import { signIn } from './sign-in.ts'
import { showTrouble } from '../page/trouble.ts'

/** The login page starts the sign-in flow with an empty state (AUTH-17). Whoever is signed in already goes on. */
// A page that is named in the address asks for the sign-in itself.
if (!(await followRedirectUrl())) void open()

async function open(): Promise<void> {
  const answer = await askWho(fetch)
  if (answer.who === 'user') leave('/user/callback')
  else if (answer.who === 'unreachable') showTrouble('down')
  else {
    // Coming here is somebody's own wish, not a loop.
    if (document.referrer.startsWith(location.origin)) tab.remove(TAB_KEYS.authorizeTimes)
    const leaving = signIn('')
    // It outlives the page, and nothing waits for it.
    import('../log/collector.ts').then(({ tellOfSession }) => tellOfSession()).catch(console.debug)
    await leaving
  }
}
