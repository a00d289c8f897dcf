/** Where the host of the device collector is: the page asks it, and the policy of the page lets it in. */

/** The two hosts that an environment names, by their origins (OPEN-93). */
type CollectorHosts = Readonly<Record<'TEST' | 'PROD', string>>

/** What says where the host is. */
export interface CollectorPlace {
  readonly hostname?: string | undefined
  readonly environment?: string | undefined
  readonly hosts?: CollectorHosts | undefined
}

/** Letters, digits and dots: neither a port nor a path. */
export const isHostname = (value: unknown): value is string => typeof value === 'string' && /^[A-Za-z\d.]+$/.test(value)

/** The origin of the collector; null where neither a hostname nor an environment says one. A hostname wins. */
export function getCollectorOrigin({ hostname, environment, hosts }: CollectorPlace): string | null {
  if (hostname !== undefined) return isHostname(hostname) ? plainOrigin(`https://${hostname}`) : null
  const name = typeof environment === 'string' ? environment.toUpperCase() : ''
  return name === 'TEST' || name === 'PROD' ? plainOrigin(hosts?.[name] ?? '') : null
}

/**
 * The same; null also where that is the origin of the portal, by whatever spelling: a frame that may keep its origin would be
 * the page itself there.
 */
export function separateOrigin(place: CollectorPlace, portal: string): string | null {
  const origin = getCollectorOrigin(place)
  return origin === plainOrigin(portal) ? null : origin
}

/** An address as browsers spell its origin, without the usual port; null for what is none of the web. */
function plainOrigin(address: string): string | null {
  return /^https?:/i.test(address) && URL.canParse(address) ? new URL(address).origin : null
}
