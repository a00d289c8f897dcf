import { soap, type User } from './soap.ts'
import { getAttribute, elements, escaped, getElementText } from './xml.ts'

const DEVICE = 'http://www.onvif.org/ver10/device/wsdl'
const MEDIA = 'http://www.onvif.org/ver10/media/wsdl'
const SCHEMA = 'http://www.onvif.org/ver10/schema'

/** Maximum ONVIF profiles queried per camera; a recorder with many channels has more. */
const PROFILES_MAX = 16
const CAMERA_MS = 15_000

const deviceServiceUrl = (host: string) => `http://${host}/onvif/device_service`

/** Reads a camera's time by ONVIF, which needs no authentication; undefined if the camera does not support ONVIF. */
export async function cameraClock(host: string, service = deviceServiceUrl(host)): Promise<Date | undefined> {
  try {
    const answer = await soap({ url: service, namespace: DEVICE, body: '<GetSystemDateAndTime/>' })
    const utc = elements(answer, 'UTCDateTime', 1)[0]?.content ?? ''
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
 * Returns a camera's RTSP addresses without credentials, largest resolution first. `host` replaces the host in each
 * address, because a camera may report a wrong one. Throws SoapAuthError if the camera requires a user.
 */
export async function fetchStreamUrls(service: string, host: string, user?: User): Promise<string[]> {
  const now = user && (await cameraClock(host, service))
  const signal = AbortSignal.timeout(CAMERA_MS)
  const callService = (url: string, namespace: string, body: string) =>
    soap({ url, namespace, body, user, now, signal })
  const capabilities = await callService(
    service,
    DEVICE,
    '<GetCapabilities><Category>Media</Category></GetCapabilities>',
  )
  const media = atHost(getElementText(elements(capabilities, 'Media', 1)[0]?.content ?? '', 'XAddr') ?? service, host)
  const profiles = await callService(media, MEDIA, '<GetProfiles/>')
  const found: { uri: string; width: number }[] = []
  for (const profile of elements(profiles, 'Profiles', PROFILES_MAX)) {
    const token = getAttribute(profile, 'token')
    if (token === undefined) continue
    // If a later call fails, for example by timeout, keep the streams that the camera has already returned.
    const answer = await callService(media, MEDIA, streamUri(token)).catch((error: unknown) => {
      if (found.length === 0) throw error
    })
    if (answer === undefined) break
    const uri = getElementText(answer, 'Uri')
    if (uri) found.push({ uri: atHost(uri, host), width: Number(getElementText(profile.content, 'Width') ?? 0) })
  }
  return [...new Set(found.toSorted((a, b) => b.width - a.width).map(({ uri }) => uri))]
}

const streamUri = (token: string) =>
  `<GetStreamUri><StreamSetup><Stream xmlns="${SCHEMA}">RTP-Unicast</Stream><Transport xmlns="${SCHEMA}"><Protocol>RTSP</Protocol></Transport></StreamSetup><ProfileToken>${escaped(token)}</ProfileToken></GetStreamUri>`

function atHost(address: string, host: string): string {
  const url = new URL(address)
  url.hostname = host
  url.username = ''
  url.password = ''
  return url.href
}
