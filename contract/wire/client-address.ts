/** Visitors without a trusted address count as this machine. */
const THIS_MACHINE = '127.0.0.1'

/**
 * Returns the address by which a visitor is counted. Uses `CF-Connecting-IP` only with `TRUST_PROXY=1`, which says that
 * Cloudflare or a configured proxy sets the header (docs/operations.md). Otherwise visitors could forge it, so all
 * visitors count as one; without a proxy they are on this machine anyway. `X-Forwarded-For` is never trusted.
 */
export function visitorAddress(headers: Pick<Headers, 'get'>, env: { readonly TRUST_PROXY?: string }): string {
  return (env.TRUST_PROXY === '1' && headers.get('cf-connecting-ip')) || THIS_MACHINE
}

/** Returns the network of an IP address: `203.0.113.x` for IPv4, the first 48 bits for IPv6, '' for anything else. */
export function toNetworkPrefix(ip: string): string {
  const four = /^(?:::ffff:)?(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}$/i.exec(ip)
  if (four) return `${four[1]}.x`
  if (!/^[\da-f:]{2,39}$/i.test(ip) || !ip.includes(':')) return ''
  const [head = '', tail] = ip.toLowerCase().split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(8 - first.length - last.length, 0)
  const groups = [...first, ...Array.from({ length: zeros }, () => '0'), ...last].slice(0, 3)
  return `${groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::`
}
