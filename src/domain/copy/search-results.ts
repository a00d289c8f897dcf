import { TOTAL_MAX, type SearchCoverageCounts } from '../../../contract/search/search-calls.ts'
import { inClips, inFigures } from './counts.ts'
import type { Span } from '../time/date-range.ts'
import { clock, durationLabel, exactTimeLabel, nearDayLabel, rangeLabel } from '../time/date-formats.ts'
import { toDay } from '../time/local-time.ts'
import type { EventFilter } from '../events/event-filter.ts'
import { DAY_MS, MINUTE_MS } from '../../../contract/time-units.ts'

/** `312`, `500+`: number of matches, capped at `TOTAL_MAX`. */
export const totalLabel = (total: number): string => (total < TOTAL_MAX ? inFigures(total) : `${inFigures(TOTAL_MAX)}+`)

/**
 * `6 clips found`, `Best 50 of 312 clips`, `7 of the best 50 of 312 clips`; `best`: results received, `total`: all
 * matches.
 */
export function foundLabel(visibleCount: number, best: number, total: number): string {
  if (best >= total) return `${inClips(visibleCount)} found`
  const rest = `${inFigures(best)} of ${totalLabel(total)} clips`
  return visibleCount < best ? `${inFigures(visibleCount)} of the best ${rest}` : `Best ${rest}`
}

/** Label of the button that expands the results: `Show all 14`, `Show the best 50 of 312`. */
export const moreLabel = (visibleCount: number, best: number, total: number): string =>
  visibleCount < best || best >= total
    ? `Show all ${inFigures(visibleCount)}`
    : `Show the best ${inFigures(best)} of ${totalLabel(total)}`

/** Returns the search coverage as a whole percentage, rounded down: 100 only if all clips were searched. */
export function searchedPercent({ clips, searched }: SearchCoverageCounts): number {
  return clips === 0 ? 100 : Math.floor((searched / clips) * 100)
}

/** `412 of 461 clips searched; 11 still arriving, 31 waiting for a description, 7 not described`. */
export function coverageTitle({
  clips: all,
  searched,
  arriving,
  waiting,
  undescribed,
  left_out,
}: SearchCoverageCounts): string {
  if (all === 0) return 'There are no clips of this time to search'
  if (searched === all) return all === 1 ? '1 clip searched, all there is' : `All ${inClips(all)} searched`
  const missing = [
    arriving > 0 && `${inFigures(arriving)} still arriving`,
    waiting > 0 && `${inFigures(waiting)} waiting for a description`,
    undescribed > 0 && `${inFigures(undescribed)} not described`,
    left_out && `${inFigures(left_out.clips)} older ones not all compared`,
  ]
  return `${inFigures(searched)} of ${inClips(all)} searched; ${missing.filter(Boolean).join(', ')}`
}

/**
 * Describes the limits of the search: clips that were not searched, the retention period, and days of `querySpan` that
 * are older than this period.
 */
export function coverageNote(
  { waiting, undescribed, kept_since, left_out }: SearchCoverageCounts,
  querySpan: Span,
  now: number,
): string {
  const days = Math.max(1, Math.round((now - kept_since) / DAY_MS))
  const retention = `Your plan keeps ${days === 1 ? '1 day' : `${days} days`}: ${rangeLabel(toDay(kept_since), toDay(now))}.`
  const undescribedNote =
    waiting + undescribed > 0 && 'Of clips without a description only camera, time and kind were searched.'
  const older = toDay(querySpan.begin) < toDay(kept_since) && 'What is older was not searched.'
  const unread =
    left_out &&
    `Before ${exactTimeLabel(left_out.before, now)} only clips with a rare word of yours were searched: choose fewer days to search them all.`
  return [unread, undescribedNote, retention, older].filter(Boolean).join(' ')
}

/** `in the last 14 days`, `on 7 – 20 November`. */
export function daysPhrase(range: EventFilter['range']): string {
  return typeof range === 'object' ? `on ${rangeLabel(range.start, range.end)}` : `in the last ${range} days`
}

/** `from 0:07`. */
export const momentLabel = (seconds: number): string => `from ${durationLabel(Math.floor(seconds) * 1000)}`

/** `now`, `09:41`, `Yesterday`, `Sun 15 Nov`: time of a search. */
export function sinceLabel(time: number, now: number): string {
  if (now - time < MINUTE_MS) return 'now'
  const day = nearDayLabel(time, now)
  return day === 'Today' ? clock(time) : day
}
