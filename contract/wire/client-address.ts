/** Of whom no address is believed is taken for somebody at this machine. */
const THIS_MACHINE = '127.0.0.1'

/**
 * The address by which a visitor is counted. `CF-Connecting-IP` is believed only where something in front sets it itself,
 * which `TRUST_PROXY=1` says: Cloudflare does, a proxy is told to (docs/operations.md). Anywhere else a visitor could write
 * another address into every request, so that all visitors count as one; without a proxy they are at this machine anyway.
 * `X-Forwarded-For` is never believed.
 */
export function visitorAddress(headers: Pick<Headers, 'get'>, env: { readonly TRUST_PROXY?: string }): string {
  return (env.TRUST_PROXY === '1' && headers.get('cf-connecting-ip')) || THIS_MACHINE
}

/** The network of an address: `203.0.113.x` of IPv4, the first 48 bits of IPv6. '' for what is neither. */
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
