import { tab, TAB_KEYS } from '../../stores/storage/safe-storage.ts'
import { holdFocusInDrawer } from '../frame/drawer.ts'
import { handleRedirectUrl } from './follow-redirect-url.ts'
import { rememberPath } from './remember-path.ts'
import { isMarkedSignedIn } from './leave-page.ts'

/** Script of every public page. Code for signed-in visitors loads only for them. */
void handleRedirectUrl()
holdFocusInDrawer()
rememberPath()
if (tab.read(TAB_KEYS.nextToast)) void import('../frame/render-toasts.ts')
if (isMarkedSignedIn()) void import('../session/signed-in-visitor.ts')
// Analytics must not delay the page. Safari has no idle callback.
const measure = () =>
  void import('../telemetry/start-analytics.ts').then((it) => it.startMeasuring()).catch(console.debug)
if ('requestIdleCallback' in window) requestIdleCallback(measure)
else setTimeout(measure, 2000)
