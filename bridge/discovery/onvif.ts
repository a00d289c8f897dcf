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

/**
 * Returns a camera's RTSP addresses without credentials, widest video first. Replaces the host in each address by
 * `host`, because a camera may report a wrong host. If a call fails after the first address, returns the addresses
 * found so far. Throws SoapAuthError if the camera requires a user or rejects `user`, and a different Error after any
 * other failure.
 */
export async function fetchStreamUrls(service: string, host: string, user?: CameraUser): Promise<string[]> {
  const now = user && (await fetchCameraTime(host, service))
  const signal = AbortSignal.timeout(CAMERA_TIMEOUT_MS)
  const callService = (url: string, namespace: string, body: string) =>
    callSoap({ url, namespace, body, user, now, signal })
  const capabilities = await callService(
    service,
    DEVICE_NAMESPACE,
    '<GetCapabilities><Category>Media</Category></GetCapabilities>',
  )
  const media = replaceHost(
    getElementText(findElements(capabilities, 'Media', 1)[0]?.content ?? '', 'XAddr') ?? service,
    host,
  )
  const profiles = await callService(media, MEDIA_NAMESPACE, '<GetProfiles/>')
  const found: { uri: string; width: number }[] = []
  for (const profile of findElements(profiles, 'Profiles', PROFILES_MAX)) {
    const token = getAttribute(profile, 'token')
    if (token === undefined) continue
    // If a later call fails, for example by timeout, keep the streams that the camera has already returned.
    const response = await callService(media, MEDIA_NAMESPACE, createStreamUriRequest(token)).catch(
      (error: unknown) => {
        if (found.length === 0) throw error
      },
    )
    if (response === undefined) break
    const uri = getElementText(response, 'Uri')
    if (uri) found.push({ uri: replaceHost(uri, host), width: Number(getElementText(profile.content, 'Width') ?? 0) })
  }
  return [...new Set(found.toSorted((a, b) => b.width - a.width).map(({ uri }) => uri))]
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
