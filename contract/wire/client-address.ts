const LOOPBACK_ADDRESS = '127.0.0.1'

/**
 * Returns the address that identifies a client for rate limits: `CF-Connecting-IP` with `TRUST_PROXY=1`, else loopback
 * for all clients. Without a trusted proxy, clients could forge the header (docs/operations.md). Never trusts
 * `X-Forwarded-For`.
 */
export function getClientAddress(headers: Pick<Headers, 'get'>, env: { readonly TRUST_PROXY?: string }): string {
  return (env.TRUST_PROXY === '1' && headers.get('cf-connecting-ip')) || LOOPBACK_ADDRESS
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

/** Returns true if only this machine can reach `hostname` (format of `URL.hostname`). */
export const isLoopbackHost = (hostname: string): boolean =>
  /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
