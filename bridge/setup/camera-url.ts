import { parseRtspUrl } from '../sources/rtsp-address.ts'

/** Returns the address with user and password. Separately typed credentials override credentials in the address. */
export function addLogin(address: string, { user, password }: { user: string; password: string }): string {
  const complete = /^rtsps?:/i.test(address) ? address : `rtsp://${address}`
  if (user === '' && password === '') return complete
  const url = parseRtspUrl(complete)
  url.username = encodeURIComponent(user)
  url.password = encodeURIComponent(password)
  return url.href
}
