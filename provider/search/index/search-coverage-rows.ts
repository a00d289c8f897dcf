import type { SqlStorage } from '@cloudflare/workers-types'
import type { SearchCoverageCounts } from '../../../contract/search/search-calls.ts'
import { yieldToEventLoop } from '../../platform/yield-to-event-loop.ts'
import type { EventVisibility } from '../../billing/plans/event-visibility.ts'
import { readCountedBefore } from '../../events/day-counters.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

/** Number of events of a home from which the count yields to the event loop after each camera. */
const LARGE_HOME_EVENTS = 200_000

/**
 * Time for which a clip without a description counts as waiting. Applies only if its camera got a description within
 * `RECENT_DESCRIPTION_MS`.
 */
const DESCRIPTION_WAIT_MS = DAY_MS
const RECENT_DESCRIPTION_MS = 7 * DAY_MS

/**
 * Counts the visible events in the range. An undescribed clip counts as arriving during its upload, then as waiting
 * while a description may arrive. `since`: start (ms UTC) of the searched part of the range; null if all of it was
 * searched.
 */
export async function countCoverage(
  sql: SqlStorage,
  { view, start, end, now }: { view: EventVisibility; start: number; end: number; now: number },
  since: number | null,
): Promise<Omit<SearchCoverageCounts, 'kept_since'>> {
  const sums = { clips: 0, arriving: 0, waiting: 0, undescribed: 0 }
  let unsearchedClips = 0
  const isLarge = getMaxEventCount(sql) > LARGE_HOME_EVENTS
  const countedBefore = readCountedBefore(sql)
  for (const { devices, since: visibleSince, free } of view)
    for (const device of devices) {
      if (isLarge) await yieldToEventLoop()
      const from = Math.max(start, visibleSince)
      const searchedFrom = Math.max(from, since ?? from)
      const searchedRange = { device, free, begin: searchedFrom, before: end + 1, countedBefore }
      const searched = countEvents(sql, searchedRange)
      const unsearched =
        searchedFrom > from
          ? countEvents(sql, { device, free, begin: from, before: searchedFrom, countedBefore })
          : null
      const { arriving, waiting } =
        searched.undescribed > 0 ? countExpectedDescriptions(sql, searchedRange, now) : NONE_EXPECTED
      sums.clips += searched.events + (unsearched?.events ?? 0)
      unsearchedClips += unsearched?.events ?? 0
      sums.arriving += arriving
      sums.waiting += waiting
      sums.undescribed += searched.undescribed - arriving - waiting
    }
  return {
    ...sums,
    searched: sums.clips - unsearchedClips - sums.arriving - sums.waiting - sums.undescribed,
    ...(unsearchedClips > 0 && since !== null ? { left_out: { before: since, clips: unsearchedClips } } : {}),
  }
}

/** Returns an upper bound of the number of events. Row ids are consecutive, except for deleted rows. */
function getMaxEventCount(sql: SqlStorage): number {
  const query = 'SELECT (SELECT max(rowid) FROM events) - (SELECT min(rowid) FROM events) + 1 AS events'
  return sql.exec<{ events: number | null }>(query).one().events ?? 0
}

/**
 * Events of a camera from `begin` to before `before`, ms UTC. `free`: true for only the events that every plan shows.
 * `countedBefore`: first day without counters.
 */
interface CameraRange {
  readonly device: string
  readonly free: boolean
  readonly begin: number
  readonly before: number
  readonly countedBefore: number
}

const createRangeSql = ({ free }: CameraRange, begin: string, before: string) =>
  `gone IS NULL AND device_id = ?1 AND event_ts >= ${begin} AND event_ts < ${before} ${free ? 'AND free' : ''}`
/** The condition on `uploading` lets SQLite use the index `events_undescribed`. */
const UNDESCRIBED_SQL = 'moments IS NULL AND uploading IN (0, 1)'

/** Counts the listed events of a camera. Counts whole days by their counters, and events only in the other days. */
function countEvents(sql: SqlStorage, range: CameraRange): { events: number; undescribed: number } {
  const { device, free, begin, before, countedBefore } = range
  const firstDay = Math.ceil(begin / DAY_MS)
  const dayAfter = Math.max(firstDay, Math.min(Math.floor(before / DAY_MS), countedBefore))
  const headEnd = Math.min(before, firstDay * DAY_MS)
  const tailBegin = Math.max(headEnd, dayAfter * DAY_MS)
  const countRest = (condition: string) =>
    [createRangeSql(range, '?2', '?3'), createRangeSql(range, '?4', '?5')]
      .map((rangeSql) => `(SELECT count(*) FROM events WHERE ${rangeSql} ${condition})`)
      .join(' + ')
  return sql
    .exec<{ events: number; undescribed: number }>(
      `SELECT coalesce(sum(events), 0) + ${countRest('')} AS events,
         coalesce(sum(undescribed), 0) + ${countRest(`AND ${UNDESCRIBED_SQL}`)} AS undescribed
       FROM event_days WHERE device_id = ?1 AND day >= ?6 AND day < ?7 ${free ? 'AND free' : ''}`,
      device,
      begin,
      headEnd,
      tailBegin,
      before,
      firstDay,
      dayAfter,
    )
    .one()
}

interface ExpectedDescriptions {
  readonly arriving: number
  readonly waiting: number
}

const NONE_EXPECTED: ExpectedDescriptions = { arriving: 0, waiting: 0 }

/** Counts the undescribed events of a camera whose clip, or whose description, may still arrive. */
function countExpectedDescriptions(sql: SqlStorage, range: CameraRange, now: number): ExpectedDescriptions {
  return sql
    .exec<{ arriving: number; waiting: number }>(
      `SELECT (SELECT count(*) FROM events
           WHERE ${createRangeSql(range, '?2', '?3')} AND moments IS NULL AND uploading = 1) AS arriving,
         (SELECT count(*) FROM events WHERE ${createRangeSql(range, 'max(?2, ?4)', '?3')} AND moments IS NULL AND uploading = 0
           AND EXISTS (SELECT 1 FROM events WHERE device_id = ?1 AND described_at >= ?5)) AS waiting`,
      range.device,
      range.begin,
      range.before,
      now - DESCRIPTION_WAIT_MS,
      now - RECENT_DESCRIPTION_MS,
    )
    .one()
}
