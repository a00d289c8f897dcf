/**
 * Relative times for /live. They have their own file, because date-formats.ts is too large for the first load of /live.
 */
import { createTimeFormat, joinWeekday } from './regional-formats.ts'

/** Formats an age in ms: `just now`, `5 min ago`, `3 h ago`. */
export function formatAge(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return 'just now'
  return minutes < 60 ? `${minutes} min ago` : `${Math.floor(minutes / 60)} h ago`
}

const formatWeekday = createTimeFormat({ weekday: 'long' })
const formatDayMonth = createTimeFormat({ day: 'numeric', month: 'long' })

/** Formats a date as `Wednesday, November 25` or `Wednesday 25 November`. */
export const todayLabel = (now: Date): string => joinWeekday(formatWeekday(now), formatDayMonth(now))
