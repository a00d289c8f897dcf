import type { Env } from '../../env.ts'

/** WebAuthn relying party: a domain, and the one origin whose pages may use the passkey. */
export interface RelyingParty {
  readonly id: string
  readonly origin: string
}

/**
 * Returns the relying party; null if browsers do not support passkeys for this origin: at an IP address, or without TLS
 * on any host but localhost.
 */
export function getRelyingParty({ PROVIDER_ORIGIN }: Pick<Env, 'PROVIDER_ORIGIN'>): RelyingParty | null {
  const { hostname, origin, protocol } = new URL(PROVIDER_ORIGIN)
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname)
  const isSecure = protocol === 'https:' || hostname === 'localhost'
  return isAddress || !isSecure ? null : { id: hostname, origin }
}
