import { separateOrigin } from '../../../contract/collector-origin.ts'
import type { PageConfig } from '../../services/fraud-collector/rules.ts'
import { readConfig } from '../page/config.ts'

/**
 * What the page's configuration says of the device collector. Null where it names no host, or that of the portal: there its
 * frame could not be held apart from the page.
 */
export async function collectorConfig(): Promise<PageConfig | null> {
  const config = await readConfig()
  const place = {
    hostname: config.collectorHostname || undefined,
    environment: config.collectorEnvironment,
    hosts: { TEST: config.collectorTestOrigin ?? '', PROD: config.collectorProdOrigin ?? '' },
  }
  if (separateOrigin(place, location.origin) === null) return null
  return { ...place, clientID: config.collectorClientId ?? '', isSinglePageApp: false }
}
