/** Where a host may stand behind an `@`: an address, a name with a dot, or a name before a port or a path. */
const HOST = /^(\[[\da-f:.]+\]|[\w-]+(\.[\w-]+)+|[\w-]+(?=[:/]))(:\d+)?(\/|$)/i
/** What is a host and nothing else. */
const CLEAR_HOST = /^(\[[\da-f:.]+\]|\d+(\.\d+){3}|[\w-]+(\.[\w-]+)+)(:\d*)?$/i

const NO_ADDRESS =
  'A camera address looks like rtsp://host:554/path, with user:password@ before the host where it needs them; this one does not.'
const TWO_MEANINGS =
  'This camera address can be read in two ways. Write / as %2F, # as %23 and ? as %3F in its password, and @ as %40 in its path.'

/**
 * An RTSP address, or an Error whose message says what is wrong with it, without repeating its password. A password may hold
 * `/`, `#` and `?` as they are where no other reading makes sense.
 */
export function parseRtspUrl(address: string): URL {
  const url = URL.parse(encoded(address.trim()))
  if (!url || !/^rtsps?:$/.test(url.protocol) || url.hostname === '') throw new Error(NO_ADDRESS)
  return url
}

/** The address with what stands before its host encoded where it would end the host (RFC 3986 §3.2). */
function encoded(address: string): string {
  const [, scheme = '', rest = ''] = /^(rtsps?:\/\/)(.*)$/is.exec(address) ?? []
  const end = rest.search(/[/?#]/)
  const at = rest.lastIndexOf('@')
  if (end === -1 || at < end || !HOST.test(rest.slice(at + 1))) return address
  const host = rest.slice(0, end).replace(/^.*@/, '')
  if (CLEAR_HOST.test(host)) return address
  const hasLogin = rest.slice(0, end).includes('@')
  if (!hasLogin && !host.includes(':')) return address
  // A host, or a login that goes on?
  if (hasLogin || /:\d+$/.test(host)) throw new Error(TWO_MEANINGS)
  const login = rest.slice(0, at).replace(/[/?#]/g, encodeURIComponent)
  return `${scheme}${login}${rest.slice(at)}`
}
