/** Address as an owner types it: a complete RTSP address, or only a host whose streams the hub must find. */
export type CameraAddress =
  | { readonly kind: 'stream'; readonly url: string }
  | { readonly kind: 'host'; readonly host: string; readonly port: number | null }

export const INVALID_ADDRESS_TEXT = 'Enter an address like rtsp://192.168.1.20:554/stream1 or 192.168.1.20.'

const HOST_PATTERN = /^(?<host>\[[\da-f:.]+\]|[\w.-]+)(?::(?<port>\d{1,5}))?(?<path>\/.*)?$/i
const NUMERIC_PATTERN = /^[\d.]+$/
const NAME_PATTERN = /^(?!.*[.-]{2})[a-z\d](?:[\w.-]{0,251}[a-z\d])?\.?$/i

/**
 * Parses a typed address without a login. Returns null if it is neither an RTSP address nor a host. A host without a
 * dot counts only with a port or path, because a single word is more likely a mistake.
 */
export function parseCameraAddress(typed: string): CameraAddress | null {
  const address = typed.trim()
  const isStream = /^rtsps?:\/\//i.test(address)
  const parts = HOST_PATTERN.exec(isStream ? '' : address)?.groups
  if (!isStream && !parts) return null
  const path = parts?.['path'] ?? ''
  const url = URL.parse(isStream ? address : `rtsp://${address}`)
  if (!url || !isHostValid(url.hostname)) return null
  if (isStream || path.length > 1) return { kind: 'stream', url: isStream ? address : `rtsp://${address}` }
  const { host = '', port } = parts ?? {}
  const isWord = !/[.:]/.test(host) && host.toLowerCase() !== 'localhost'
  if (isWord && port === undefined) return null
  return { kind: 'host', host, port: port === undefined ? null : Number(port) }
}

function isHostValid(hostname: string): boolean {
  if (hostname.startsWith('[')) return URL.canParse(`http://${hostname}/`)
  return NUMERIC_PATTERN.test(hostname) ? isIpv4(hostname) : NAME_PATTERN.test(hostname)
}

function isIpv4(text: string): boolean {
  const octets = text.split('.')
  return octets.length === 4 && octets.every((octet) => /^\d{1,3}$/.test(octet) && Number(octet) <= 255)
}
