/** Origin of the device collector: pages call it, and their content security policy allows it. */

/** Origin of the device collector for each environment name (OPEN-93). */
type CollectorHosts = Readonly<Record<'TEST' | 'PROD', string>>

export interface CollectorLocation {
  readonly hostname?: string | undefined
  readonly environment?: string | undefined
  readonly hosts?: CollectorHosts | undefined
}

/** Returns true if the value contains only letters, digits and dots. It then has neither a port nor a path. */
export const isHostname = (value: unknown): value is string => typeof value === 'string' && /^[A-Za-z\d.]+$/.test(value)

/**
 * Returns the collector's origin from `hostname`, or from `environment` if `hostname` is undefined; null if this value
 * names no valid origin.
 */
export function getCollectorOrigin({ hostname, environment, hosts }: CollectorLocation): string | null {
  if (hostname !== undefined) return isHostname(hostname) ? normalizeOrigin(`https://${hostname}`) : null
  const name = typeof environment === 'string' ? environment.toUpperCase() : ''
  return name === 'TEST' || name === 'PROD' ? normalizeOrigin(hosts?.[name] ?? '') : null
}

/**
 * Returns the same as `getCollectorOrigin`, but null for the portal's own origin, because a frame with the portal's
 * origin could access the page.
 */
export function getSeparateCollectorOrigin(collectorLocation: CollectorLocation, portalOrigin: string): string | null {
  const origin = getCollectorOrigin(collectorLocation)
  return origin === normalizeOrigin(portalOrigin) ? null : origin
}

/** Returns the origin as browsers spell it, without the default port; null if `url` is not an HTTP or HTTPS URL. */
function normalizeOrigin(url: string): string | null {
  return /^https?:/i.test(url) && URL.canParse(url) ? new URL(url).origin : null
}
