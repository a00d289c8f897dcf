import { separateOrigin } from '../../../contract/telemetry/device-collector-origin.ts'
import { browserPorts } from '../../services/device-collector/browser-ports.ts'
import { Collector, type Moment } from '../../services/device-collector/device-collector.ts'
import type { PageConfig } from '../../services/device-collector/collector-rules.ts'
import { FIRST_KEYS, local, tab } from '../../stores/storage/safe-storage.ts'
import { COLLECTOR_KEYS } from '../../stores/storage/analytics-keys.ts'
import { readConfig } from '../page/read-config.ts'
import { whenIdle } from '../page/when-idle.ts'

/**
 * What the page's configuration says of the device collector. Null where it names no host, or that of the portal: there its
 * frame could not be held apart from the page.
 */
async function collectorConfig(): Promise<PageConfig | null> {
  const config = await readConfig()
  const place = {
    hostname: config.collectorHostname || undefined,
    environment: config.collectorEnvironment,
    hosts: { TEST: config.collectorTestOrigin ?? '', PROD: config.collectorProdOrigin ?? '' },
  }
  if (separateOrigin(place, location.origin) === null) return null
  return { ...place, clientID: config.collectorClientId ?? '', isSinglePageApp: false }
}

const whenTrulyIdle = (task: () => void) => whenIdle(task, 0)

/** The collector of this page, before any run. */
export const openCollector = async (): Promise<Collector> =>
  new Collector(await collectorConfig(), browserPorts(local, tab, whenTrulyIdle), COLLECTOR_KEYS)

/**
 * Starts the collector for the session that the sign-in was begun with (FRAUD-02), and for none where that is gone: a tab that
 * signs out takes the id away first, and only a sign-in makes another. A session that another tab begins is this page's too.
 */
export async function startCollector(): Promise<void> {
  const collector = await openCollector()
  addEventListener('storage', ({ key, newValue }) => {
    if (key === FIRST_KEYS.kountSessionId && newValue)
      whenTrulyIdle(() => void collector.newSession(newValue).catch(console.debug))
  })
  markMoment(collector, 'collect-begin')
  markMoment(collector, 'collect-end')
  await collector.start(local.read(FIRST_KEYS.kountSessionId) ?? '')
}

/** Marks every begin and end of a run, which the browser's tools show among what else the page does. */
function markMoment(collector: Collector, moment: Moment): void {
  collector.on(moment, () => {
    performance.mark(moment)
    markMoment(collector, moment)
  })
}
