import { classifyAddress } from '../../contract/live/ice-candidates.ts'
import { isLoopbackHost } from '../../contract/wire/client-address.ts'
import type { Env } from '../env.ts'

/** Returns true if portal and provider have loopback hosts, which only this machine can reach. */
export function isLocalDeployment({
  PORTAL_ORIGIN,
  PROVIDER_ORIGIN,
}: Pick<Env, 'PORTAL_ORIGIN' | 'PROVIDER_ORIGIN'>): boolean {
  return [PORTAL_ORIGIN, PROVIDER_ORIGIN].every((origin) => isLoopbackHost(new URL(origin).hostname))
}

/** Domains that resolve only inside a local network. */
const LOCAL_DOMAIN_PATTERN = /\.(?:local|lan|home\.arpa)$/

/** Returns true if portal and provider have hosts that only this machine or the local network can reach. */
export function isLocalNetworkDeployment({
  PORTAL_ORIGIN,
  PROVIDER_ORIGIN,
}: Pick<Env, 'PORTAL_ORIGIN' | 'PROVIDER_ORIGIN'>): boolean {
  return [PORTAL_ORIGIN, PROVIDER_ORIGIN].every((origin) => {
    const { hostname } = new URL(origin)
    if (isLoopbackHost(hostname) || LOCAL_DOMAIN_PATTERN.test(hostname)) return true
    return classifyAddress(hostname.replace(/^\[|\]$/g, '')) === 'lan'
  })
}
