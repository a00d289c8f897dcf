import { tab, TAB_KEYS } from '../../stores/storage/safe-storage.ts'
import { holdFocusInDrawer } from '../frame/drawer.ts'
import { handleRedirectUrl } from './follow-redirect-url.ts'
import { rememberPath } from './remember-path.ts'
import { isMarkedSignedIn } from './leave-page.ts'

/** What every public page runs. Whatever only a signed-in visitor needs is loaded for that visitor alone. */
void handleRedirectUrl()
holdFocusInDrawer()
rememberPath()
if (tab.read(TAB_KEYS.nextToast)) void import('../frame/render-toasts.ts')
if (isMarkedSignedIn()) void import('../session/signed-in-visitor.ts')
// Nobody waits for it. Safari has no idle callback.
const measure = () =>
  void import('../telemetry/start-analytics.ts').then((it) => it.startMeasuring()).catch(console.debug)
if ('requestIdleCallback' in window) requestIdleCallback(measure)
else setTimeout(measure, 2000)
