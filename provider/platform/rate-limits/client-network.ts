const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/**
 * What attempts from one place are counted by: an IPv4 address as it is; of an IPv6 address the first 64 bits, since a
 * customer is given at least these and may choose the rest. Anything else counts as it was written.
 */
export function clientNetwork(ip: string): string {
  const address = ip.replace(/%.*$/, '')
  const mapped = MAPPED.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!address.includes(':')) return address
  const [head = '', tail] = address.toLowerCase().split('::')
  const groups = (text: string) => text.split(':').filter((group) => group !== '')
  const [before, after] = [groups(head), groups(tail ?? '')]
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length)
  const all = [...before, ...Array.from({ length: zeros }, () => '0'), ...after]
  return `${all
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}
