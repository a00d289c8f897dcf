import { SEARCH_TOTAL_MAX, type SearchCoverageCounts } from '../../../contract/search/search-calls.ts'
import { formatClipCount, formatNumber, formatDayCount } from './counts.ts'
import { formatAllAtStart } from './lists.ts'
import type { Span } from '../time/date-range.ts'
import { formatClock, durationLabel, exactTimeLabel, nearDayLabel, rangeLabel } from '../time/date-formats.ts'
import { toDay } from '../time/local-time.ts'
import type { EventFilter } from '../events/event-filter.ts'
import { DAY_MS, MINUTE_MS } from '../../../contract/time-units.ts'

/** Formats the number of matches, capped at `SEARCH_TOTAL_MAX`: `312`, `500+`. */
export const matchCountLabel = (total: number): string =>
  total < SEARCH_TOTAL_MAX ? formatNumber(total) : `${formatNumber(SEARCH_TOTAL_MAX)}+`

/** Formats the number of matches with its noun: `1 clip`, `312 clips`, `500+ clips`. */
export const formatMatchCount = (total: number): string => `${matchCountLabel(total)} ${total === 1 ? 'clip' : 'clips'}`

/**
 * Returns `6 clips`, `312 clips, best 50 shown` or `312 clips, 7 of the best 50 shown`. `receivedCount`: results
 * received; `total`: all matches.
 */
export function foundCountLabel(visibleCount: number, receivedCount: number, total: number): string {
  if (receivedCount >= total) return formatClipCount(visibleCount)
  const best = `best ${formatNumber(receivedCount)} shown`
  const visibleLabel = visibleCount < receivedCount ? `${formatNumber(visibleCount)} of the ${best}` : best
  return `${formatMatchCount(total)}, ${visibleLabel}`
}

/** Label of the button that loads all results: `Show all 130`. */
export const showAllLabel = (total: number): string => `Show all ${matchCountLabel(total)}`

/** Returns the search coverage as a whole percentage, rounded down: 100 only if all clips were searched. */
export function searchedPercent({ clips, searched }: SearchCoverageCounts): number {
  return clips === 0 ? 100 : Math.floor((searched / clips) * 100)
}

/**
 * Describes search coverage and the searched days: `All 461 clips searched, November 16 – 29` or `412 of 461 clips
 * searched, November 16 – 29; 11 still uploading`.
 */
export function coverageTitle(coverage: SearchCoverageCounts, querySpan: Span, now: number): string {
  const { clips: all, searched, arriving, waiting, undescribed, left_out } = coverage
  if (all === 0) return 'No clips to search in this time range'
  const days = searchedDays(coverage, querySpan, now)
  if (searched === all) return `${all === 1 ? '1 of 1 clip' : formatAllAtStart(all, 'clip')} searched, ${days}`
  const missing = [
    arriving > 0 && `${formatNumber(arriving)} still uploading`,
    waiting > 0 && `${formatNumber(waiting)} waiting for a description`,
    undescribed > 0 && `${formatNumber(undescribed)} not described`,
    left_out && `${formatNumber(left_out.clips)} older ${left_out.clips === 1 ? 'clip' : 'clips'} only partly searched`,
  ]
  return `${formatNumber(searched)} of ${formatClipCount(all)} searched, ${days}; ${missing.filter(Boolean).join(', ')}`
}

/** Returns the days of the query that have clips to search: none before the retention period, none after today. */
function searchedDays({ kept_since }: SearchCoverageCounts, { begin, end }: Span, now: number): string {
  const last = Math.min(end, now)
  return rangeLabel(toDay(Math.min(Math.max(begin, kept_since), last)), toDay(last))
}

/** Returns true if the coverage says more than the number of searched clips: clips or days were left out. */
export const hasCoverageGaps = ({ clips, searched, kept_since }: SearchCoverageCounts, querySpan: Span): boolean =>
  searched < clips || toDay(querySpan.begin) < toDay(kept_since)

/**
 * Describes the limits of the search: clips that were searched only in part, the retention period, and days of
 * `querySpan` that are older than this period.
 */
export function coverageNote(
  { waiting, undescribed, kept_since, left_out }: SearchCoverageCounts,
  querySpan: Span,
  now: number,
): string {
  const days = Math.max(1, Math.round((now - kept_since) / DAY_MS))
  const retention = `Your plan keeps ${formatDayCount(days)} of clips.`
  const undescribedNote =
    waiting + undescribed > 0 && 'For clips without a description, only camera, time, and type were searched.'
  const olderDaysNote = toDay(querySpan.begin) < toDay(kept_since) && 'Older clips weren’t searched.'
  const partlySearchedNote =
    left_out &&
    `For clips before ${exactTimeLabel(left_out.before, now)}, we checked only the less common words in your search. Choose fewer days to search all clips.`
  return [partlySearchedNote, undescribedNote, retention, olderDaysNote].filter(Boolean).join(' ')
}

/** Describes the days of a filter: `in the last 14 days`, `on 7 – 20 November`. */
export function daysPhrase(range: EventFilter['range']): string {
  if (typeof range !== 'object') return `in the last ${range} days`
  return `${range.start === range.end ? 'on' : 'from'} ${rangeLabel(range.start, range.end)}`
}

/** Formats a position in a clip: `from 0:07`. */
export const clipPositionLabel = (seconds: number): string => `from ${durationLabel(Math.floor(seconds) * 1000)}`

/** Formats the time of a search: `now`, `09:41`, `Yesterday`, `Sun 15 Nov`. */
export function searchTimeLabel(time: number, now: number): string {
  if (now - time < MINUTE_MS) return 'now'
  const day = nearDayLabel(time, now)
  return day === 'Today' ? formatClock(time) : day
}
