const IPV4_MAPPED_PATTERN = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/**
 * Returns the client network of an IP address: the address itself for IPv4 (also if mapped to IPv6), otherwise the IPv6
 * /64, because one customer gets at least a /64.
 */
export function clientNetwork(ip: string): string {
  const address = ip.replace(/%.*$/, '')
  const mapped = IPV4_MAPPED_PATTERN.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!address.includes(':')) return address
  const [head = '', tail] = address.toLowerCase().split('::')
  const splitGroups = (text: string) => text.split(':').filter((group) => group !== '')
  const [before, after] = [splitGroups(head), splitGroups(tail ?? '')]
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length)
  const all = [...before, ...Array.from({ length: zeros }, () => '0'), ...after]
  return `${all
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}
