export interface CameraCredentials {
  readonly address: string
  readonly user: string
  readonly password: string
}

/**
 * Separates the login (user and password) from an RTSP address. Returns null if the address is not an RTSP address, has
 * no login, or has a login whose end is ambiguous.
 */
export function splitCredentials(address: string): CameraCredentials | null {
  const [, scheme = '', rest = ''] = /^(rtsps?:\/\/)(.*)$/i.exec(address.trim()) ?? []
  const at = rest.lastIndexOf('@')
  const login = rest.slice(0, Math.max(0, at))
  if (at === -1 || /[/?#]/.test(login)) return null
  const colon = login.indexOf(':')
  const user = colon === -1 ? login : login.slice(0, colon)
  const password = colon === -1 ? '' : login.slice(colon + 1)
  return { address: `${scheme}${rest.slice(at + 1)}`, user: decodeOrKeep(user), password: decodeOrKeep(password) }
}

const SCHEMELESS_LOGIN_PATTERN = /^[^/?#\s]*@[^/?#@\s]/

/**
 * Separates the login from an address that may lack its scheme, such as `user:password@192.168.1.20`. Call it only when
 * the owner has finished typing.
 */
export function splitFinishedCredentials(address: string): CameraCredentials | null {
  const typed = address.trim()
  if (!SCHEMELESS_LOGIN_PATTERN.test(typed)) return splitCredentials(typed)
  const parts = splitCredentials(`rtsp://${typed}`)
  return parts && { ...parts, address: parts.address.slice('rtsp://'.length) }
}

/**
 * Returns the host of a typed address for display, without user and password. If there is no host, returns the first 60
 * characters of the text after the login.
 */
export function extractHost(address: string): string {
  const rest = address.trim().replace(/^[a-z]+:\/\//i, '')
  return /^(?:[^/?#]*@)?(\[[^\]]*\]|[^:/?#]*)/.exec(rest)?.[1] || rest.replace(/^[^/?#]*@/, '').slice(0, 60)
}

function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
