/** Matches a plausible host after an `@`: an IP address, a name with a dot, or a name before a port or a path. */
const HOST_PATTERN = /^(\[[\da-f:.]+\]|[\w-]+(\.[\w-]+)+|[\w-]+(?=[:/]))(:\d+)?(\/|$)/i
/** Matches text that can only be a host, not the start of a password. */
const UNAMBIGUOUS_HOST_PATTERN = /^(\[[\da-f:.]+\]|\d+(\.\d+){3}|[\w-]+(\.[\w-]+)+)(:\d*)?$/i

const INVALID_ADDRESS_TEXT = "This isn't a camera address. Enter an address like rtsp://192.168.1.20:554/stream1."
const AMBIGUOUS_ADDRESS_TEXT =
  'This camera address is ambiguous. In the password, write / as %2F, # as %23 and ? as %3F. In the path, write @ as %40.'

/**
 * Parses an RTSP address. The password may contain unescaped `/`, `#` and `?` if the address stays unambiguous. Throws
 * an Error that explains the problem without the password.
 */
export function parseRtspUrl(address: string): URL {
  const url = URL.parse(encodeLogin(address.trim()))
  if (!url || !/^rtsps?:$/.test(url.protocol) || url.hostname === '') throw new Error(INVALID_ADDRESS_TEXT)
  return url
}

/**
 * Percent-encodes `/`, `?` and `#` in the username and password, because these characters would end the authority
 * (RFC 3986 §3.2). Throws an Error if the address is ambiguous.
 */
function encodeLogin(address: string): string {
  const [, scheme = '', rest = ''] = /^(rtsps?:\/\/)(.*)$/is.exec(address) ?? []
  const end = rest.search(/[/?#]/)
  const at = rest.lastIndexOf('@')
  if (end === -1 || at < end || !HOST_PATTERN.test(rest.slice(at + 1))) return address
  const host = rest.slice(0, end).replace(/^.*@/, '')
  if (UNAMBIGUOUS_HOST_PATTERN.test(host)) return address
  const hasLogin = rest.slice(0, end).includes('@')
  if (!hasLogin && !host.includes(':')) return address
  // Ambiguous: `host` can be the host of the address, or part of its username and password.
  if (hasLogin || /:\d+$/.test(host)) throw new Error(AMBIGUOUS_ADDRESS_TEXT)
  const login = rest.slice(0, at).replace(/[/?#]/g, encodeURIComponent)
  return `${scheme}${login}${rest.slice(at)}`
}
