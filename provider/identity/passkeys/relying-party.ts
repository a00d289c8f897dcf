import type { Env } from '../../env.ts'

/** WebAuthn relying party: a domain, and the only origin whose pages may use the passkeys. */
export interface RelyingParty {
  readonly id: string
  readonly origin: string
}

/**
 * Returns the relying party. Returns null for an origin at which browsers do not support passkeys: an IP address, or a
 * host without TLS other than localhost.
 */
export function getRelyingParty({ PROVIDER_ORIGIN }: Pick<Env, 'PROVIDER_ORIGIN'>): RelyingParty | null {
  const { hostname, origin, protocol } = new URL(PROVIDER_ORIGIN)
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname)
  const isSecure = protocol === 'https:' || hostname === 'localhost'
  return isAddress || !isSecure ? null : { id: hostname, origin }
}
