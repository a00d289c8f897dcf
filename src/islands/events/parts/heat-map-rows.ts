import { formatClipCount } from '../../../domain/copy/counts.ts'
import { eventCountLabel } from '../../../domain/copy/event-labels.ts'
import type { EventFilter } from '../../../domain/events/event-filter.ts'
import { findBusiestHour, type HourlyEventCounts } from '../../../domain/events/event-statistics.ts'
import { dayOfMonthLabel, shortWeekdayLabel } from '../../../domain/time/date-formats.ts'
import { wholeHourLabel } from '../../../domain/time/hour-label.ts'
import { addDays, type Day, isSameDay, parseDay, toDay } from '../../../domain/time/local-time.ts'
import { changeFilter } from '../../../stores/events/event-url.ts'
import type { HeatMapRows } from './BusyHours.tsx'

/** Maximum number of days in the heat map of one camera. */
const MAX_DAYS = 7

export const createCameraRows = (filter: EventFilter, name: (id: string) => string): HeatMapRows => {
  const isChosen = (id: string, hour: number) =>
    filter.hour === hour && filter.cameras.length === 1 && filter.cameras[0] === id
  return {
    label: 'Events by camera and hour',
    isBusiestOutlined: true,
    name,
    isChosen,
    isFuture: () => false,
    choose: (id, hour) => changeFilter(isChosen(id, hour) ? { cameras: [], hour: null } : { cameras: [id], hour }),
  }
}

/** Describes the busiest camera: `November 16 – 29 · Street is busiest at 8 AM, with 75 events`. */
export function describeCameraRows(
  { busiest }: HourlyEventCounts,
  range: string,
  isReady: boolean,
  name: (id: string) => string,
): string {
  if (!busiest) return isReady ? `${range} · no events` : range
  return `${range} · ${name(busiest.id)} is busiest at ${wholeHourLabel(busiest.hour)}, with ${eventCountLabel(busiest.count)}`
}

/** Returns the last days of a range up to today, oldest first. */
export function listHeatMapDays({ start, end }: { start: Day; end: Day }, now: number): Day[] {
  const last = Math.min(parseDay(end), parseDay(toDay(now)))
  const days = Array.from({ length: MAX_DAYS }, (_, i) => toDay(addDays(last, i - MAX_DAYS + 1)))
  return days.filter((day) => day >= start)
}

/** Rows for the days of one camera. A click on a cell shows the hour of that day; a second click shows the whole day. */
export const createDayRows = ({ range }: EventFilter, now: number): HeatMapRows => {
  const isChosen = (day: string, hour: number) =>
    typeof range === 'object' &&
    range.start === day &&
    range.end === day &&
    range.hours[0] === hour &&
    range.hours[1] === hour
  return {
    label: 'Events by day and hour',
    // The sentence names the busiest hour of all days, which can differ from the hour of the busiest cell.
    isBusiestOutlined: false,
    note: 'Clips less than 60 seconds apart count as one visit. People, vehicles, and pets are labeled only if the camera detects them.',
    name: (day) => {
      const time = parseDay(day as Day)
      return isSameDay(time, now) ? 'Today' : `${shortWeekdayLabel(time)} ${dayOfMonthLabel(time)}`
    },
    isChosen,
    isFuture: (day, hour) => day === toDay(now) && hour > new Date(now).getHours(),
    choose: (day, hour) =>
      changeFilter({
        range: { start: day as Day, end: day as Day, hours: isChosen(day, hour) ? [0, 23] : [hour, hour] },
      }),
  }
}

/** Describes the average of the busiest hour of one camera: `0.6 clips a day on average`, or `3 clips` of one day. */
export const hourAverageLabel = ({ rows }: HourlyEventCounts, average: number): string =>
  `${formatClipCount(average)}${rows.length > 1 ? ' a day on average' : ''}`

/** Describes the busiest hour of one camera: `Street is busiest at 8 AM, with 7.5 clips a day on average`. */
export function describeDayRows(counts: HourlyEventCounts, isReady: boolean, camera: string): string {
  const busiest = findBusiestHour(counts)
  if (!busiest) return isReady ? 'No events' : ''
  return `${camera} is busiest at ${wholeHourLabel(busiest.hour)}, with ${hourAverageLabel(counts, busiest.average)}`
}
