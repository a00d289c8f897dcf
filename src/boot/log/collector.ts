import { browserPorts } from '../../services/fraud-collector/browser-ports.ts'
import { Collector } from '../../services/fraud-collector/collector.ts'
import { tellSession } from '../../services/fraud-collector/session.ts'
import { readyOf, type PageConfig } from '../../services/fraud-collector/rules.ts'
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

/** The session that the sign-in was begun with (FRAUD-02). */
const session = () => local.read(FIRST_KEYS.kountSessionId) ?? ''

/** Starts the collector. */
export async function startCollector(): Promise<void> {
  await new Collector(await collectorConfig(), browserPorts(local, tab), COLLECTOR_KEYS).start(session())
}

/** Tells of the session that a sign-in begins with, and no more. It goes on after the page was left. */
export async function tellOfSession(): Promise<void> {
  const ready = readyOf(await collectorConfig(), session())
  if (typeof ready === 'string') return
  await tellSession(ready, browserPorts(local, tab), COLLECTOR_KEYS, console.debug)
}
