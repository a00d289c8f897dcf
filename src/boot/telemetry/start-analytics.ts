import { startRevenue } from '../../services/visit-report.ts'
import { FIRST_KEYS, local } from '../../stores/storage/safe-storage.ts'
import { dropTestTracking, deleteAnalyticsData, readMeasuring } from '../../stores/storage/analytics-opt-out.ts'
import { readConfig } from '../page/read-config.ts'
import { isMarkedSignedIn } from '../page/leave-page.ts'
import { giveWay } from './yield-when-idle.ts'

/**
 * Tells of the visit of who is signed in (ANALYTICS-01), and measures this page; neither where a person or the browser has said
 * no. The end of test tracking ends the second only. Libraries are loaded where a page is measured.
 */
export async function startMeasuring(): Promise<void> {
  if (isRefused()) return deleteAnalyticsData()
  const config = await readConfig()
  if (config.testTracking === 'off') dropTestTracking()
  // The choice may have been made meanwhile.
  if (isRefused()) return deleteAnalyticsData()
  // An e-mail may be left over from a session that has ended by itself.
  if (isMarkedSignedIn()) void startRevenue(config.revenueToken ?? '', local.read(FIRST_KEYS.email) ?? '')
  if (readMeasuring(Date.now()) !== 'on') return deleteAnalyticsData()
  const { measurePage } = await import('./page-analytics.ts')
  await giveWay()
  await measurePage(config)
}

const isRefused = () => ['off', 'asked'].includes(readMeasuring(Date.now()))
