import { atom } from 'nanostores'
import { getCameraSettings } from '../../../contract/cameras/owner-calls.ts'
import { DAY_MS } from '../../../contract/time-units.ts'
import { request } from '../../api/api-client.ts'
import { persistentJson } from '../storage/persistent-atoms.ts'
import { VISIT_KEYS } from '../storage/visit-keys.ts'

/** Time for which a dismissed suggestion stays away. */
const DISMISSAL_MS = 30 * DAY_MS

/** End of the dismissal by device id, ms UTC. */
export const $zoneDismissals = persistentJson<Readonly<Record<string, number>>>(
  VISIT_KEYS.zoneDismissals,
  {},
  (value): value is Record<string, number> => typeof value === 'object' && value !== null && !Array.isArray(value),
)

export function dismissZoneSuggestion(deviceId: string): void {
  $zoneDismissals.set({ ...$zoneDismissals.get(), [deviceId]: Date.now() + DISMISSAL_MS })
}

/** True for a camera that records motion in the whole picture, by device id. */
export const $lacksZone = atom<ReadonlyMap<string, boolean>>(new Map())

/** Loads whether a camera has motion zones, once. A failure shows no suggestion. */
export async function loadHasZone(deviceId: string): Promise<void> {
  if ($lacksZone.get().has(deviceId)) return
  const response = await request(getCameraSettings, { device_id: deviceId })
  const lacksZone = response.ok && response.data.motion && response.data.zones.length === 0
  $lacksZone.set(new Map([...$lacksZone.get(), [deviceId, lacksZone]]))
}
