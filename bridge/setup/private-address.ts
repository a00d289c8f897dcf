import { BlockList, isIP } from 'node:net'
import { lookup } from 'node:dns/promises'

/** Private and loopback addresses (RFC 1918, RFC 4193). Link-local addresses are left out: clouds serve secrets there. */
const PRIVATE_ADDRESSES = new BlockList()
for (const [network, prefix] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['127.0.0.0', 8],
] as const)
  PRIVATE_ADDRESSES.addSubnet(network, prefix, 'ipv4')
PRIVATE_ADDRESSES.addSubnet('fc00::', 7, 'ipv6')
PRIVATE_ADDRESSES.addAddress('::1', 'ipv6')

export const isPrivateAddress = (address: string): boolean =>
  isIP(address) !== 0 && PRIVATE_ADDRESSES.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

export type ResolvedHost = { readonly address: string } | { readonly refused: 'unknown' | 'public' }

/** Resolves a host. Returns its first address, preferably IPv4, or the reason why the search must not contact the host. */
export async function resolvePrivateHost(host: string): Promise<ResolvedHost> {
  try {
    const found = await lookup(host.replace(/^\[|\]$/g, ''), { all: true, order: 'ipv4first' })
    const [first] = found
    if (!first) return { refused: 'unknown' }
    return found.every(({ address }) => isPrivateAddress(address)) ? { address: first.address } : { refused: 'public' }
  } catch {
    return { refused: 'unknown' }
  }
}
