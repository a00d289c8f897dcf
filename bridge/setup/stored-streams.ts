import type { CameraAnswer, CameraRequest } from '../../contract/cameras/camera-setup.ts'
import type { RtspCamera } from '../cameras/camera-file.ts'
import { parseRtspUrl } from '../sources/rtsp-address.ts'
import { addLogin } from './camera-url.ts'

const SUB_ELSEWHERE_TEXT = 'The sub-stream is on another device. Enter the username and password again.'

type ChangeRequest = Extract<CameraRequest, { ask: 'check' | 'change' }>

/** Returns the answer with the addresses of a stored camera. It contains no login. */
export const describeStoredStreams = ({ url, sub }: RtspCamera): CameraAnswer => ({
  answer: 'stored',
  main: removeLogin(parseRtspUrl(url)),
  sub: sub === undefined ? '' : removeLogin(parseRtspUrl(sub)),
})

/**
 * Returns the request with the login of the stored camera if the request has none. The login stays on its device: a
 * request for another host, or for an unencrypted stream instead of an encrypted one, gets no login. Throws an Error for
 * the owner if only the sub-stream would get the login on another host.
 */
export function addStoredLogin<Request extends ChangeRequest>(request: Request, stored: RtspCamera): Request {
  if (request.user !== '' || request.password !== '') return request
  const storedUrl = parseRtspUrl(stored.url)
  if (storedUrl.username === '' || !isSameDevice(storedUrl, parseTypedUrl(request.address))) return request
  if (request.sub && !isSameDevice(storedUrl, parseTypedUrl(request.sub))) throw new Error(SUB_ELSEWHERE_TEXT)
  return { ...request, user: decode(storedUrl.username), password: decode(storedUrl.password) }
}

/** Decodes a part of a URL. Returns it unchanged if the owner has written it without an encoding. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const parseTypedUrl = (address: string) => parseRtspUrl(addLogin(address, { user: '', password: '' }))

const isSameDevice = (stored: URL, typed: URL) =>
  typed.hostname === stored.hostname && (stored.protocol !== 'rtsps:' || typed.protocol === 'rtsps:')

export function removeLogin(url: URL): string {
  const copy = new URL(url)
  copy.username = ''
  copy.password = ''
  return copy.href
}
