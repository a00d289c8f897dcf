import { browserPorts } from '../../services/fraud-collector/browser-ports.ts'
import { Collector } from '../../services/fraud-collector/collector.ts'
import type { PageConfig } from '../../services/fraud-collector/rules.ts'
import { FIRST_KEYS, local, tab } from '../../stores/storage/box.ts'
import { COLLECTOR_KEYS } from '../../stores/storage/measure-keys.ts'
import { readConfig } from '../page/config.ts'

/**
 * What the page's configuration says of the device collector. Null where there is none, or where it shares the portal's
 * origin: there its frame could not be held apart from the page.
 */
async function collectorConfig(): Promise<PageConfig | null> {
  const { collectorClientId, collectorEnvironment, collectorTestOrigin, collectorProdOrigin } = await readConfig()
  const hosts = { TEST: collectorTestOrigin ?? '', PROD: collectorProdOrigin ?? '' }
  if (Object.values(hosts).includes(location.origin)) return null
  return { clientID: collectorClientId ?? '', environment: collectorEnvironment ?? '', isSinglePageApp: false, hosts }
}

/** Starts the collector for the session that the sign-in was begun with (FRAUD-02). */
export async function startCollector(): Promise<void> {
  await new Collector(await collectorConfig(), browserPorts(local, tab), COLLECTOR_KEYS).start(
    local.read(FIRST_KEYS.kountSessionId) ?? '',
  )
}
