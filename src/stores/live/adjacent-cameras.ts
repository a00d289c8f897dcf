import type { Device } from '../home/devices.ts'
import { $alone } from './live-layout.ts'
import { $listed } from './live-page.ts'

/** Opens the camera before (-1) or after (1) the one that is open, around the ends; answers whether there is one. */
export function showNext(by: -1 | 1): boolean {
  const next = findNeighbor($listed.get(), $alone.get(), by)
  if (next) $alone.set(next.device_id)
  return next !== undefined
}

/** The camera before or after one, around the ends. One that the choice of cameras leaves out stands before the first. */
export function findNeighbor(cameras: readonly Device[], deviceId: string, by: -1 | 1): Device | undefined {
  const at = cameras.findIndex(({ device_id }) => device_id === deviceId)
  return cameras[(Math.max(at, by < 0 ? 0 : -1) + by + cameras.length) % cameras.length]
}
