import type { Device } from '../home/devices.ts'
import { $alone } from './live-layout.ts'
import { $listed } from './live-page.ts'

/** Opens the previous (-1) or next (1) camera, with wrap-around. Returns true if there is one. */
export function showNext(by: -1 | 1): boolean {
  const next = findNeighbor($listed.get(), $alone.get(), by)
  if (next) $alone.set(next.device_id)
  return next !== undefined
}

/**
 * Returns the previous or next camera, with wrap-around. If the filter hides the current camera, returns the last or
 * the first one.
 */
export function findNeighbor(cameras: readonly Device[], deviceId: string, by: -1 | 1): Device | undefined {
  const at = cameras.findIndex(({ device_id }) => device_id === deviceId)
  return cameras[(Math.max(at, by < 0 ? 0 : -1) + by + cameras.length) % cameras.length]
}
