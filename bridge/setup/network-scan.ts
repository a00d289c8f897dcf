import type { FoundCamera } from '../../contract/cameras/camera-setup.ts'
import { fetchStreamUrls } from '../discovery/onvif.ts'
import { findOnvifCameras, type DiscoveredCamera, type ProbeOptions } from '../discovery/ws-discovery.ts'
import { SoapAuthError } from '../discovery/soap.ts'

/**
 * Returns the cameras that respond in the networks of this computer. If there are none, `words` is a sentence that
 * explains why.
 */
export async function scanNetworkCameras(options?: ProbeOptions): Promise<{ cameras: FoundCamera[]; words: string }> {
  const { found, refused: failure } = await findOnvifCameras(options)
  const cameras = await Promise.all(found.map(describeCamera))
  if (cameras.length > 0) return { cameras, words: '' }
  const words =
    failure === undefined
      ? 'None answered. It may sleep, have ONVIF switched off, or be in another network: type its address.'
      : 'The computer of the box may not look for cameras in its network. Type the address.'
  return { cameras, words }
}

async function describeCamera({ host, name, service }: DiscoveredCamera): Promise<FoundCamera> {
  const camera = { host: host.slice(0, 80), name: name.slice(0, 120) }
  try {
    const address = (await fetchStreamUrls(service, host))[0]?.slice(0, 500) ?? null
    return { ...camera, address, asks_for_user: false }
  } catch (error) {
    return { ...camera, address: null, asks_for_user: error instanceof SoapAuthError }
  }
}
