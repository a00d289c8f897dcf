import type { Env } from '../../env.ts'

/** Whom a passkey is made for: a domain, and the one origin whose pages may use it. */
export interface RelyingParty {
  readonly id: string
  readonly origin: string
}

/** The provider as a relying party; null where browsers make no passkeys: at an IP address, or without TLS elsewhere than localhost. */
export function relyingParty({ PROVIDER_ORIGIN }: Pick<Env, 'PROVIDER_ORIGIN'>): RelyingParty | null {
  const { hostname, origin, protocol } = new URL(PROVIDER_ORIGIN)
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname)
  const isSecure = protocol === 'https:' || hostname === 'localhost'
  return isAddress || !isSecure ? null : { id: hostname, origin }
}
