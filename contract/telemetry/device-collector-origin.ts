/** Origin of the device collector: pages call it, and their content security policy allows it. */

/** Origins of the collector hosts that the environment names `TEST` and `PROD` stand for (OPEN-93). */
type CollectorHosts = Readonly<Record<'TEST' | 'PROD', string>>

export interface CollectorPlace {
  readonly hostname?: string | undefined
  readonly environment?: string | undefined
  readonly hosts?: CollectorHosts | undefined
}

/** True if the value contains only letters, digits and dots, so neither a port nor a path. */
export const isHostname = (value: unknown): value is string => typeof value === 'string' && /^[A-Za-z\d.]+$/.test(value)

/** Returns the collector's origin; null if neither a hostname nor an environment names one. A hostname wins. */
export function getCollectorOrigin({ hostname, environment, hosts }: CollectorPlace): string | null {
  if (hostname !== undefined) return isHostname(hostname) ? plainOrigin(`https://${hostname}`) : null
  const name = typeof environment === 'string' ? environment.toUpperCase() : ''
  return name === 'TEST' || name === 'PROD' ? plainOrigin(hosts?.[name] ?? '') : null
}

/**
 * Like `getCollectorOrigin`, but returns null also for the portal's own origin in any spelling: a frame that keeps its
 * origin would then share the origin of the page.
 */
export function separateOrigin(place: CollectorPlace, portal: string): string | null {
  const origin = getCollectorOrigin(place)
  return origin === plainOrigin(portal) ? null : origin
}

/** Returns the origin as browsers spell it, without the default port; null if it is not a web URL. */
function plainOrigin(address: string): string | null {
  return /^https?:/i.test(address) && URL.canParse(address) ? new URL(address).origin : null
}
