import { getSeparateCollectorOrigin } from '../../../contract/telemetry/device-collector-origin.ts'
import { createBrowserPorts } from '../../services/device-collector/browser-ports.ts'
import { DeviceCollector, type CollectorEvent } from '../../services/device-collector/device-collector.ts'
import type { CollectorPageConfig } from '../../services/device-collector/collector-rules.ts'
import { PUBLIC_PAGE_KEYS, safeLocalStorage, safeSessionStorage } from '../../stores/storage/safe-storage.ts'
import { COLLECTOR_KEYS } from '../../stores/storage/analytics-keys.ts'
import { readConfig } from '../page/read-config.ts'
import { whenIdle } from '../page/when-idle.ts'

/**
 * Returns the device collector's configuration. Returns null if the configuration names no valid origin, or the
 * portal's own origin, because a frame with the portal's origin could access the page.
 */
async function loadCollectorConfig(): Promise<CollectorPageConfig | null> {
  const config = await readConfig()
  const hostSettings = {
    hostname: config.collectorHostname || undefined,
    environment: config.collectorEnvironment,
    hosts: { TEST: config.collectorTestOrigin ?? '', PROD: config.collectorProdOrigin ?? '' },
  }
  if (getSeparateCollectorOrigin(hostSettings, location.origin) === null) return null
  return { ...hostSettings, clientID: config.collectorClientId ?? '', isSinglePageApp: false }
}

const whenIdleWithoutTimeout = (task: () => void) => whenIdle(task, 0)

/** Opens the collector of this page without starting a run. */
export const openCollector = async (): Promise<DeviceCollector> =>
  new DeviceCollector(
    await loadCollectorConfig(),
    createBrowserPorts(safeLocalStorage, safeSessionStorage, whenIdleWithoutTimeout),
    COLLECTOR_KEYS,
  )

/**
 * Starts the collector for the device session of the last sign-in (FRAUD-02); without a device session, the collector
 * does not start. Switches to the new device session when another tab signs in.
 */
export async function startCollector(): Promise<void> {
  const collector = await openCollector()
  addEventListener('storage', ({ key, newValue }) => {
    if (key === PUBLIC_PAGE_KEYS.kountSessionId && newValue)
      whenIdleWithoutTimeout(() => void collector.newSession(newValue).catch(console.debug))
  })
  markMoment(collector, 'collect-begin')
  markMoment(collector, 'collect-end')
  await collector.start(safeLocalStorage.read(PUBLIC_PAGE_KEYS.kountSessionId) ?? '')
}

/**
 * Sets a performance mark for every start or end of a run. Registers itself again after each mark, because `on` calls a
 * task only once.
 */
function markMoment(collector: DeviceCollector, event: CollectorEvent): void {
  collector.on(event, () => {
    performance.mark(event)
    markMoment(collector, event)
  })
}
