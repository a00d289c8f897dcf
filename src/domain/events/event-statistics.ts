import type { Event } from '../../../contract/events/events.ts'
import { type Day, endOfDay, parseDay, startOfDay, toDay } from '../time/local-time.ts'

/** Number of events per camera or day, and hour of the day (24 numbers), and the busiest cell. */
export interface HourlyEventCounts {
  readonly rows: readonly { readonly id: string; readonly hours: readonly number[]; readonly total: number }[]
  readonly busiest: { readonly id: string; readonly hour: number; readonly count: number } | null
  readonly max: number
}

/** Counts events by camera and local hour. Cameras follow the order of `deviceIds`; cameras missing there come last. */
export function countEventsByHour(events: readonly Event[], deviceIds: readonly string[]): HourlyEventCounts {
  return countByHour(events, deviceIds, ({ device_id }) => device_id)
}

/** Counts events by local day and hour. Events of other days are omitted. */
export function countEventsByDayAndHour(events: readonly Event[], days: readonly Day[]): HourlyEventCounts {
  const [first, last] = [days[0], days.at(-1)]
  const begin = first ? parseDay(first) : Infinity
  const end = last ? endOfDay(parseDay(last)) : 0
  const inDays = events.filter(({ event_ts }) => event_ts >= begin && event_ts <= end)
  return countByHour(inDays, days, ({ event_ts }) => toDay(event_ts))
}

function countByHour(
  events: readonly Event[],
  rowIds: readonly string[],
  getRowId: (event: Event) => string,
): HourlyEventCounts {
  const rows = new Map(rowIds.map((id) => [id, new Array<number>(24).fill(0)]))
  for (const event of events) {
    const rowId = getRowId(event)
    const hours = rows.get(rowId) ?? new Array<number>(24).fill(0)
    const hour = new Date(event.event_ts).getHours()
    hours[hour] = (hours[hour] ?? 0) + 1
    rows.set(rowId, hours)
  }
  let busiest: HourlyEventCounts['busiest'] = null
  for (const [id, hours] of rows) {
    hours.forEach((count, hour) => {
      if (count > (busiest?.count ?? 0)) busiest = { id, hour, count }
    })
  }
  const sum = (hours: readonly number[]) => hours.reduce((total, count) => total + count, 0)
  return {
    rows: [...rows].map(([id, hours]) => ({ id, hours, total: sum(hours) })),
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

/** Returns the hour of the day with the most events, and its average per day: tenths, at least 0.1. */
export function findBusiestHour({ rows }: HourlyEventCounts): { hour: number; average: number } | null {
  let busiest: { hour: number; average: number; total: number } | null = null
  for (let hour = 0; hour < 24; hour += 1) {
    const total = rows.reduce((sum, { hours }) => sum + (hours[hour] ?? 0), 0)
    if (total > (busiest?.total ?? 0))
      busiest = { hour, average: Math.max(1, Math.round((total / rows.length) * 10)) / 10, total }
  }
  return busiest && { hour: busiest.hour, average: busiest.average }
}
