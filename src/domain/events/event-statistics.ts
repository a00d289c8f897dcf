import type { Event } from '../../../contract/events/events.ts'
import { endOfDay, startOfDay } from '../time/local-time.ts'

/** Number of events per camera and hour of the day (24 numbers), and the busiest cell. */
export interface HourlyEventCounts {
  readonly rows: readonly { readonly deviceId: string; readonly hours: readonly number[]; readonly total: number }[]
  readonly busiest: { readonly deviceId: string; readonly hour: number; readonly count: number } | null
  readonly max: number
}

/** Counts events by camera and local hour. Cameras follow the order of `deviceIds`; cameras missing there come last. */
export function countEventsByHour(events: readonly Event[], deviceIds: readonly string[]): HourlyEventCounts {
  const rows = new Map(deviceIds.map((id) => [id, new Array<number>(24).fill(0)]))
  for (const event of events) {
    const hours = rows.get(event.device_id) ?? new Array<number>(24).fill(0)
    const hour = new Date(event.event_ts).getHours()
    hours[hour] = (hours[hour] ?? 0) + 1
    rows.set(event.device_id, hours)
  }
  let busiest: HourlyEventCounts['busiest'] = null
  for (const [deviceId, hours] of rows) {
    hours.forEach((count, hour) => {
      if (count > (busiest?.count ?? 0)) busiest = { deviceId, hour, count }
    })
  }
  const sum = (hours: readonly number[]) => hours.reduce((total, count) => total + count, 0)
  return {
    rows: [...rows].map(([deviceId, hours]) => ({ deviceId, hours, total: sum(hours) })),
    busiest,
    max: (busiest as HourlyEventCounts['busiest'])?.count ?? 0,
  }
}

/** Returns the heat-map level of a count: 0 for no events, 1 to 4 for the quarter of `max` that contains the count. */
export function heatLevel(count: number, max: number): 0 | 1 | 2 | 3 | 4 {
  if (count === 0 || max === 0) return 0
  return Math.min(4, Math.ceil((count / max) * 4)) as 1 | 2 | 3 | 4
}

export function countTodayEvents(
  events: readonly Event[],
  now: number,
): { today: number; todayUnseen: number; unseen: number } {
  const [begin, end] = [startOfDay(now), endOfDay(now)]
  const today = events.filter(({ event_ts }) => event_ts >= begin && event_ts <= end)
  const unseen = (list: readonly Event[]) => list.filter((event) => !event.reviewed).length
  return { today: today.length, todayUnseen: unseen(today), unseen: unseen(events) }
}
