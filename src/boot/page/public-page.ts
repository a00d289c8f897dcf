import { safeSessionStorage, TAB_KEYS } from '../../stores/storage/safe-storage.ts'
import { trapFocusInDrawer } from '../frame/drawer.ts'
import { handleRedirectUrl } from './follow-redirect-url.ts'
import { rememberPath } from './remember-path.ts'
import { isMarkedSignedIn } from './leave-page.ts'

/** Script of every public page. Code for signed-in visitors loads only for them. */
void handleRedirectUrl()
trapFocusInDrawer()
rememberPath()
if (safeSessionStorage.read(TAB_KEYS.nextToast))
  void import('../frame/render-toasts.ts').then((it) => it.renderToasts())
if (isMarkedSignedIn()) void import('../session/signed-in-visitor.ts')
// Analytics and the sign-up status must not delay the page. Safari has no idle callback.
function loadWhenIdle(): void {
  void import('../telemetry/start-analytics.ts').then((it) => it.startAnalytics()).catch(console.debug)
  if (!isMarkedSignedIn())
    void import('../session/sign-up-status.ts').then((it) => it.markClosedSignUp()).catch(console.debug)
}
if ('requestIdleCallback' in window) requestIdleCallback(loadWhenIdle)
else setTimeout(loadWhenIdle, 2000)
