import { getErrorMessage } from '../runtime/log.ts'
import { fetchStreamUrls } from './onvif.ts'
import { findOnvifCameras, type DiscoveredCamera, type ProbeOptions } from './ws-discovery.ts'
import { SoapAuthError, type CameraUser } from './soap.ts'

const ADDRESS_HINT = 'An address always works: docs/cameras.md has those of the usual makers.'
const NO_CAMERA_TEXT = `No camera answered. Many have ONVIF switched off, and some networks do not let such questions pass. ${ADDRESS_HINT}`
const formatProbeFailure = (reason: string) =>
  `This computer does not let its network be asked for cameras (multicast to 239.255.255.250, UDP port 3702): ${reason}. ${ADDRESS_HINT}`

/** Discovers cameras in the network and prints the next step for each. Returns the number of cameras. */
export async function printDiscoveredCameras(
  user: CameraUser | undefined,
  print: (line: string) => void,
  options?: ProbeOptions,
): Promise<number> {
  const { found, refused: failure } = await findOnvifCameras(options)
  if (found.length === 0) print(failure === undefined ? NO_CAMERA_TEXT : formatProbeFailure(failure))
  for (const camera of found) {
    print(`${camera.name} at ${camera.host}`)
    for (const line of await createAdvice(camera, user)) print(`  ${line}`)
  }
  return found.length
}

async function createAdvice(
  { service, host, name }: DiscoveredCamera,
  user: CameraUser | undefined,
): Promise<string[]> {
  try {
    const streams = await fetchStreamUrls(service, host, user)
    const [main, sub] = [streams[0], streams.length > 1 ? streams.at(-1) : undefined]
    if (main === undefined) return ['It names no stream. Use its address: docs/cameras.md has the usual ones.']
    return [
      `Add it: node scripts/bridge.mjs add-camera - --data DIR --name "${name}"`,
      `and type its address${sub ? 'es, one a line,' : ''} with user:password@ behind rtsp://, then Ctrl-D:`,
      ...[main, ...(sub ? [sub] : [])].map((address) => `  ${address}`),
    ]
  } catch (error) {
    if (!(error instanceof SoapAuthError)) return [`It could not be asked for its streams: ${getErrorMessage(error)}.`]
    return user
      ? ['It refuses this user or password. Some cameras have users of their own for ONVIF.']
      : [
          'It tells its streams to its users only: node scripts/bridge.mjs discover - reads user and password, one a line.',
        ]
  }
}
