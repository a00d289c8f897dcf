import type { Event } from '../../../contract/events/events.ts'
import { DAY_MS, HOUR_MS } from '../../../contract/time-units.ts'

/** A motion zone is suggested for a camera with more clips an hour. */
const BUSY_CLIPS_PER_HOUR = 20

export interface BusyCamera {
  readonly deviceId: string
  readonly clipsPerHour: number
}

/**
 * Returns the camera of `deviceIds` with the most clips in one clock hour of the last 24 hours, if these are more than
 * `BUSY_CLIPS_PER_HOUR`.
 */
export function findBusyCamera(events: readonly Event[], deviceIds: readonly string[], now: number): BusyCamera | null {
  const candidates = new Set(deviceIds)
  const recent = events.filter(
    ({ device_id, event_ts }) => candidates.has(device_id) && event_ts > now - DAY_MS && event_ts <= now,
  )
  const [busiest] = [...Map.groupBy(recent, ({ device_id }) => device_id)]
    .map(([deviceId, clips]): BusyCamera => {
      const hours = Map.groupBy(clips, ({ event_ts }) => Math.floor(event_ts / HOUR_MS))
      return { deviceId, clipsPerHour: Math.max(...[...hours.values()].map(({ length }) => length)) }
    })
    .toSorted((a, b) => b.clipsPerHour - a.clipsPerHour)
  return busiest && busiest.clipsPerHour > BUSY_CLIPS_PER_HOUR ? busiest : null
}
