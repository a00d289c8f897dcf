import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { BlockList, isIP } from 'node:net'
import { hostname, networkInterfaces, type NetworkInterfaceInfo } from 'node:os'

/** Private, shared, link-local and loopback networks: address, prefix length. */
export const PRIVATE_NETWORKS: readonly (readonly [string, number])[] = [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['fc00::', 7],
  ['fe80::', 10],
  ['::1', 128],
]

const getFamily = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

const privateNetworks = new BlockList()
for (const [network, prefix] of PRIVATE_NETWORKS) privateNetworks.addSubnet(network, prefix, getFamily(network))

/** Returns true for an IP address that the internet does not route. */
export const isPrivateAddress = (address: string): boolean =>
  isIP(address) !== 0 && privateNetworks.check(address, getFamily(address))

/** Networks of containers and virtual machines on this computer; no other device reaches them. */
const VIRTUAL_NETWORK_PATTERN = /^(?:docker|podman|cni|virbr|lxcbr|br-[0-9a-f]{12}$)/

type Interfaces = NodeJS.Dict<Pick<NetworkInterfaceInfo, 'address' | 'internal'>[]>

/**
 * Returns this computer's private addresses in its local networks, sorted. Leaves out public addresses, so that a
 * computer on the internet serves no stranger. Leaves out fe80::/10, because URLs cannot contain such addresses.
 */
export function listLanAddresses(interfaces: Interfaces = networkInterfaces()): string[] {
  const addresses = Object.entries(interfaces)
    .filter(([name]) => !VIRTUAL_NETWORK_PATTERN.test(name))
    .flatMap(([, entries = []]) => entries)
    .filter(({ internal }) => !internal)
    .map(({ address }) => address)
  return [...new Set(addresses)].filter((address) => isPrivateAddress(address) && !/^fe[89ab]/i.test(address)).sort()
}

/** Address of a documentation network (RFC 5737). It only selects a route; no packet is sent to it. */
const ROUTE_PROBE_ADDRESS = '192.0.2.1'

/**
 * Returns the IPv4 address of `addresses` that other devices most likely reach: the one on the default route, else the
 * first. Returns undefined without one. An IPv6 address cannot be an origin: a content security policy cannot name it.
 */
export async function choosePrimaryAddress(addresses: readonly string[]): Promise<string | undefined> {
  const routed = await findRoutedAddress()
  if (routed !== null && addresses.includes(routed)) return routed
  return addresses.find((address) => isIP(address) === 4)
}

async function findRoutedAddress(): Promise<string | null> {
  const socket = createSocket('udp4')
  try {
    const connected = once(socket, 'connect')
    socket.connect(53, ROUTE_PROBE_ADDRESS)
    await connected
    return socket.address().address
  } catch {
    return null
  } finally {
    socket.close()
  }
}

const HOST_NAME_PATTERN =
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/

/** Returns true for a DNS name in lower case, and false for an IP address. */
export const isHostName = (text: string): boolean => HOST_NAME_PATTERN.test(text) && !/^[\d.]+$/.test(text)

/**
 * Returns the names of this computer: its hostname, and the first label of that name under `.local`. Leaves out a single
 * label, because it may be a public top-level domain, and a certificate authority for it could sign for all its sites.
 */
export function listComputerNames(name = hostname()): string[] {
  const full = name.toLowerCase().replace(/\.$/, '')
  const [label = ''] = full.split('.')
  return [...new Set([full, `${label}.local`])].filter((text) => isHostName(text) && text.includes('.'))
}
