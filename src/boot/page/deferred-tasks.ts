import { ERROR_CATALOG } from '../../../contract/wire/error-codes.ts'
import { canPersistStorage } from '../../stores/storage/storage-probe.ts'
import { safeSessionStorage, NOTICE_KEYS } from '../../stores/storage/storage-keys.ts'
import { whenIdle } from './when-idle.ts'
import { showToast } from '../../stores/shell/toasts.ts'
import { watchViewport } from '../../stores/shell/viewport.ts'
import { clearCarriedCoupon } from '../account/clear-carried-coupon.ts'
import { watchTheme } from '../frame/follow-theme.ts'
import { renderToasts } from '../frame/render-toasts.ts'
import { recordRequests } from '../telemetry/record-requests.ts'
import { showExpiryNotice } from '../session/session-expiry-notice.ts'
import type { CurrentUser } from '../../api/current-user.ts'
import { showPlansButton } from '../frame/plans-button.ts'

/** Runs the tasks that must not delay the content of a protected page. Call it once. */
export async function runDeferredTasks(user: CurrentUser): Promise<void> {
  clearCarriedCoupon()
  watchTheme()
  renderToasts()
  recordRequests()
  watchViewport()
  if (!canPersistStorage() && !safeSessionStorage.read(NOTICE_KEYS.storage)) {
    safeSessionStorage.write(NOTICE_KEYS.storage, '1')
    // Warns if the browser has no storage (OPEN-48).
    const { style, text } = ERROR_CATALOG['1002']
    showToast(style, text)
  }
  // Device facts and page analytics start only when the page is idle.
  whenIdle(
    () => void import('../telemetry/device-collector.ts').then((it) => it.startCollector()).catch(console.debug),
    0,
  )
  whenIdle(
    () => void import('../telemetry/start-analytics.ts').then((it) => it.startAnalytics()).catch(console.debug),
    0,
  )
  await showPlansButton()
  showExpiryNotice(user, Date.now())
}
