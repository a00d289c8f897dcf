import { startRevenue } from '../../services/visit-report.ts'
import { FIRST_KEYS, local } from '../../stores/storage/safe-storage.ts'
import { dropTestTracking, deleteAnalyticsData, readMeasuring } from '../../stores/storage/analytics-opt-out.ts'
import { readConfig } from '../page/read-config.ts'
import { isMarkedSignedIn } from '../page/leave-page.ts'
import { waitForIdle } from './yield-when-idle.ts'

/**
 * Reports the visit of the signed-in account (ANALYTICS-01) and measures this page. Does nothing if the user or the
 * browser has opted out. When test tracking ends, only the measuring stops. Libraries load only if the page is
 * measured.
 */
export async function startMeasuring(): Promise<void> {
  if (isRefused()) return deleteAnalyticsData()
  const config = await readConfig()
  if (config.testTracking === 'off') dropTestTracking()
  // The user may have opted out while the configuration loaded.
  if (isRefused()) return deleteAnalyticsData()
  // Requires the marker cookie, because an expired session may have left an email address behind.
  if (isMarkedSignedIn()) void startRevenue(config.revenueToken ?? '', local.read(FIRST_KEYS.email) ?? '')
  if (readMeasuring(Date.now()) !== 'on') return deleteAnalyticsData()
  const { measurePage } = await import('./page-analytics.ts')
  await waitForIdle()
  await measurePage(config)
}

const isRefused = () => ['off', 'asked'].includes(readMeasuring(Date.now()))
