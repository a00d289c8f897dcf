import type { Device } from '../home/devices.ts'
import { $singleCameraId } from './live-layout.ts'
import { $listedCameras } from './live-page.ts'

/** Opens the previous (-1) or next (1) listed camera, with wrap-around. Returns false if no camera is listed. */
export function showAdjacentCamera(step: -1 | 1): boolean {
  const next = findAdjacentCamera($listedCameras.get(), $singleCameraId.get(), step)
  if (next) $singleCameraId.set(next.device_id)
  return next !== undefined
}

/**
 * Returns the camera before (-1) or after (1) `deviceId`, with wrap-around. If `cameras` lacks `deviceId`, returns the
 * last (-1) or the first (1) camera. Returns undefined for an empty list.
 */
export function findAdjacentCamera(cameras: readonly Device[], deviceId: string, step: -1 | 1): Device | undefined {
  const index = cameras.findIndex(({ device_id }) => device_id === deviceId)
  return cameras[(Math.max(index, step < 0 ? 0 : -1) + step + cameras.length) % cameras.length]
}
