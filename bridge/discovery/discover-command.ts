import { getErrorMessage } from '../runtime/log.ts'
import { fetchStreamUrls } from './onvif.ts'
import { findOnvifCameras, type DiscoveredCamera, type ProbeOptions } from './ws-discovery.ts'
import { SoapAuthError, type CameraUser } from './soap.ts'

const ADDRESS_HINT =
  "To add a camera anyway, run add-camera with its stream's address. docs/cameras.md lists the usual addresses for common brands."
const NO_CAMERA_TEXT = `No cameras found. ONVIF is often off by default, and some networks block discovery. ${ADDRESS_HINT}`
const formatProbeFailure = (reason: string) =>
  `This computer can't search its network for cameras (multicast to 239.255.255.250, UDP port 3702): ${reason}. ${ADDRESS_HINT}`

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
    if (main === undefined)
      return [
        "The camera didn't report a stream. To add it, run add-camera with the stream's address. docs/cameras.md lists the usual addresses for common brands.",
      ]
    return [
      `To add this camera, run: node scripts/bridge.mjs add-camera - --data DIR --name "${name}"`,
      `Then enter its address${sub ? 'es, one per line,' : ''} with user:password@ after rtsp://, and press Ctrl-D:`,
      ...[main, ...(sub ? [sub] : [])].map((address) => `  ${address}`),
    ]
  } catch (error) {
    if (!(error instanceof SoapAuthError)) return [`The camera couldn't list its streams: ${getErrorMessage(error)}.`]
    return user
      ? ['Wrong username or password. Some cameras have separate ONVIF users.']
      : [
          'The camera requires a login to list its streams. Run this command, enter the username and password on separate lines, and press Ctrl-D: node scripts/bridge.mjs discover -',
        ]
  }
}
