import { OnvifSession } from './onvif-session.ts'
import { readScopes } from './scopes.ts'
import { callSoap, type CameraUser } from './soap.ts'
import { getAttribute, findElements, escapeXml, getElementText } from './xml.ts'

const DEVICE_NAMESPACE = 'http://www.onvif.org/ver10/device/wsdl'
const MEDIA_NAMESPACE = 'http://www.onvif.org/ver10/media/wsdl'
const SCHEMA_NAMESPACE = 'http://www.onvif.org/ver10/schema'

/** Maximum ONVIF profiles queried per camera; a recorder with many channels has more. */
const PROFILES_MAX = 16
const CAMERA_TIMEOUT_MS = 15_000

const getDeviceServiceUrl = (host: string) => `http://${host}/onvif/device_service`

/**
 * Reads a camera's time by ONVIF. This call needs no authentication. Returns undefined if the call fails or the
 * response contains no valid time.
 */
export async function fetchCameraTime(host: string, service = getDeviceServiceUrl(host)): Promise<Date | undefined> {
  try {
    const response = await callSoap({ url: service, namespace: DEVICE_NAMESPACE, body: '<GetSystemDateAndTime/>' })
    const utc = findElements(response, 'UTCDateTime', 1)[0]?.content ?? ''
    const [year, month, day, hour, minute, second] = ['Year', 'Month', 'Day', 'Hour', 'Minute', 'Second'].map((name) =>
      Number(getElementText(utc, name) ?? NaN),
    )
    const time = new Date(Date.UTC(year!, month! - 1, day!, hour!, minute!, second!))
    return isNaN(time.getTime()) ? undefined : time
  } catch {
    return undefined
  }
}

/** Stream that a camera lists. `width`, `height` and `fps` are 0, and `encoding` is '', if unknown. */
export interface OnvifStream {
  readonly uri: string
  readonly encoding: string
  readonly width: number
  readonly height: number
  readonly fps: number
  /** Token of the lens or of the recorder's channel; '' if unknown. */
  readonly source: string
}

/**
 * Returns a camera's RTSP addresses without credentials, widest video first. Throws the errors of `fetchStreams`.
 */
export async function fetchStreamUrls(service: string, host: string, user?: CameraUser): Promise<string[]> {
  const streams = await fetchStreams(openOnvifSession(service, host, user), service, host)
  return [...new Set(streams.map(({ uri }) => uri))]
}

export function openOnvifSession(service: string, host: string, user?: CameraUser): OnvifSession {
  return new OnvifSession(user, () => fetchCameraTime(host, service), AbortSignal.timeout(CAMERA_TIMEOUT_MS))
}

/**
 * Returns the streams of a camera that browsers or the hub can read, widest video first. Replaces the host in each
 * address by `host`, because a camera may report a wrong host. If a call fails after the first address, returns the
 * streams found so far. Throws SoapAuthError if the camera requires a user or rejects the user, and a different Error
 * after any other failure.
 */
export async function fetchStreams(session: OnvifSession, service: string, host: string): Promise<OnvifStream[]> {
  const callService = (url: string, namespace: string, body: string) => session.call({ url, namespace, body })
  const capabilities = await callService(
    service,
    DEVICE_NAMESPACE,
    '<GetCapabilities><Category>Media</Category></GetCapabilities>',
  )
  const media = replaceHost(
    getElementText(findElements(capabilities, 'Media', 1)[0]?.content ?? '', 'XAddr') ?? service,
    host,
  )
  const response = await callService(media, MEDIA_NAMESPACE, '<GetProfiles/>')
  const profiles = findElements(response, 'Profiles', PROFILES_MAX).filter(({ content }) => isVideoReadable(content))
  const found: OnvifStream[] = []
  for (const profile of profiles) {
    const token = getAttribute(profile, 'token')
    if (token === undefined) continue
    // If a later call fails, for example by timeout, keep the streams that the camera has already returned.
    const uriResponse = await callService(media, MEDIA_NAMESPACE, createStreamUriRequest(token)).catch(
      (error: unknown) => {
        if (found.length === 0) throw error
      },
    )
    if (uriResponse === undefined) break
    const uri = getElementText(uriResponse, 'Uri')
    if (uri) found.push({ uri: replaceHost(uri, host), ...describeProfile(profile.content) })
  }
  return found.toSorted((a, b) => b.width - a.width)
}

/** Returns the name and the type of a camera from its ONVIF scopes; '' for an unknown part. */
export async function fetchCameraName(session: OnvifSession, service: string): Promise<{ name: string; type: string }> {
  try {
    const response = await session.call({ url: service, namespace: DEVICE_NAMESPACE, body: '<GetScopes/>' })
    return readScopes(
      findElements(response, 'ScopeItem')
        .map(({ content }) => content.trim())
        .join(' '),
    )
  } catch {
    return { name: '', type: '' }
  }
}

const getVideoEncoder = (profile: string) =>
  findElements(profile, 'VideoEncoderConfiguration', 1)[0]?.content ?? profile

function isVideoReadable(profile: string): boolean {
  const encoding = getElementText(getVideoEncoder(profile), 'Encoding') ?? ''
  return encoding === '' || /^H26[45]$/i.test(encoding)
}

function describeProfile(profile: string): Omit<OnvifStream, 'uri'> {
  const encoder = getVideoEncoder(profile)
  const readNumber = (name: string) => Math.max(0, Math.round(Number(getElementText(encoder, name) ?? 0)) || 0)
  const source = findElements(profile, 'VideoSourceConfiguration', 1)[0]?.content ?? ''
  return {
    encoding: (getElementText(encoder, 'Encoding') ?? '').toUpperCase(),
    width: readNumber('Width'),
    height: readNumber('Height'),
    fps: readNumber('FrameRateLimit'),
    source: getElementText(source, 'SourceToken') ?? '',
  }
}

const createStreamUriRequest = (token: string) =>
  `<GetStreamUri><StreamSetup><Stream xmlns="${SCHEMA_NAMESPACE}">RTP-Unicast</Stream><Transport xmlns="${SCHEMA_NAMESPACE}"><Protocol>RTSP</Protocol></Transport></StreamSetup><ProfileToken>${escapeXml(token)}</ProfileToken></GetStreamUri>`

function replaceHost(address: string, host: string): string {
  const url = new URL(address)
  url.hostname = host
  url.username = ''
  url.password = ''
  return url.href
}
