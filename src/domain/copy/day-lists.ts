import { dayMonthLabel, dayOfMonthLabel, dayWords } from '../time/date-formats.ts'
import { isSameMonth, isSameYear } from '../time/local-time.ts'
import { getRegionalFormats } from '../time/regional-formats.ts'
import { formatList } from './lists.ts'

/**
 * Formats a list of days, earliest first: `November 27 and 28` or `27 and 28 November`, `November 28 and December 1`.
 * Omits repeated days.
 */
export function formatDayList(times: readonly number[], now: number): string {
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined) return ''
  if (!isSameMonth(first, last) || !isSameYear(first, now))
    return formatList([...new Set(times.map((time) => dayWords(time, now)))])
  const days = formatList([...new Set(times.map(dayOfMonthLabel))])
  return getRegionalFormats().isMonthFirst
    ? dayMonthLabel(first).replace(dayOfMonthLabel(first), days)
    : dayMonthLabel(last).replace(dayOfMonthLabel(last), days)
}
