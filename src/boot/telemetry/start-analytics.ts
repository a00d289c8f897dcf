import { reportVisit } from '../../services/visit-report.ts'
import { PUBLIC_PAGE_KEYS, safeLocalStorage } from '../../stores/storage/safe-storage.ts'
import { removeTestTracking, deleteAnalyticsData, readAnalyticsState } from '../../stores/storage/analytics-opt-out.ts'
import { readConfig } from '../page/read-config.ts'
import { isMarkedSignedIn } from '../page/leave-page.ts'

/**
 * Reports the visit of the signed-in account (ANALYTICS-01) and measures this page. Does neither if the user or the
 * browser has opted out. Code for measuring loads only if the page is measured.
 */
export async function startAnalytics(): Promise<void> {
  if (hasOptedOut()) return deleteAnalyticsData()
  const config = await readConfig()
  if (config.testTracking === 'off') removeTestTracking()
  // The user may have opted out while the configuration loaded.
  if (hasOptedOut()) return deleteAnalyticsData()
  // Requires the marker cookie, because an expired session may have left an email address behind.
  if (isMarkedSignedIn())
    void reportVisit(config.revenueToken ?? '', safeLocalStorage.read(PUBLIC_PAGE_KEYS.email) ?? '')
  if (readAnalyticsState(Date.now()) !== 'on') return deleteAnalyticsData()
  const { measurePage } = await import('./page-analytics.ts')
  const library = config.analyticsLibrary === 'amplitude' ? await import('./amplitude-clients.ts') : null
  await measurePage(config, library?.AMPLITUDE_CLIENTS)
}

const hasOptedOut = () => ['off', 'asked'].includes(readAnalyticsState(Date.now()))
