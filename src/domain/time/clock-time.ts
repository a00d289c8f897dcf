import { createTimeFormat } from './regional-formats.ts'

/** Formats a time (ms UTC) in the browser's zone: `9:41 AM` or `09:41`. */
export const formatClock = createTimeFormat({ hour: 'numeric', minute: '2-digit' })

/** Formats a span within a day: `9:41 – 9:43 AM`, `11:58 AM – 12:03 PM`, `09:41 – 09:43`, `9:41 AM` within one minute. */
export function formatClockSpan(begin: number, end: number): string {
  const [from, to] = [formatClock(begin), formatClock(end)]
  return from === to ? from : joinClocks(from, to)
}

/** Joins two times of a day. The end states the half of the day for both, if it is the same. */
export function joinClocks(from: string, to: string): string {
  const [time = '', half] = from.split('\u00a0')
  return `${half && to.endsWith(half) ? time : from} – ${to}`
}
