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
    for (const group of isLarge ? devices.map((device) => [device]) : [devices]) {
      if (isLarge) await yieldToEventLoop()
      const from = Math.max(start, visibleSince)
      const searchedFrom = Math.max(from, since ?? from)
      const searchedRange = { free, begin: searchedFrom, before: end + 1, countedBefore }
      if (searchedFrom > from)
        for (const { events } of countEvents(sql, group, { ...searchedRange, begin: from, before: searchedFrom }))
          unsearchedClips += events
      for (const { device, events, undescribed } of countEvents(sql, group, searchedRange)) {
        const { arriving, waiting } =
          undescribed > 0 ? countExpectedDescriptions(sql, device, searchedRange, now) : NONE_EXPECTED
        sums.clips += events
        sums.arriving += arriving
        sums.waiting += waiting
        sums.undescribed += undescribed - arriving - waiting
      }
    }
  sums.clips += unsearchedClips
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
 * Events from `begin` to before `before`, ms UTC. `free`: true for only the events that every plan shows.
 * `countedBefore`: first day without counters.
 */
interface EventRange {
  readonly free: boolean
  readonly begin: number
  readonly before: number
  readonly countedBefore: number
}

const createRangeSql = ({ free }: EventRange, begin: string, before: string) =>
  `gone IS NULL AND events.device_id = camera.value AND event_ts >= ${begin} AND event_ts < ${before} ${free ? 'AND events.free' : ''}`
/** The condition on `uploading` lets SQLite use the index `events_undescribed`. */
const UNDESCRIBED_SQL = 'moments IS NULL AND uploading IN (0, 1)'

/**
 * Counts the listed events of cameras: the counters of the days in the range, minus the events of the first and last
 * day outside of the range, plus the events of days without counters. A search from the start of the retention period
 * until now has few of these.
 */
function countEvents(sql: SqlStorage, cameras: readonly string[], range: EventRange) {
  const { free, begin, before, countedBefore } = range
  if (begin >= before) return []
  const [firstDay, lastDay] = [Math.floor(begin / DAY_MS), Math.floor((before - 1) / DAY_MS)]
  const countedEnd = Math.min(lastDay + 1, countedBefore)
  const isCounted = firstDay < countedEnd
  const uncountedBegin = Math.max(begin, countedEnd * DAY_MS)
  const count = (from: string, to: string, condition: string) =>
    `(SELECT count(*) FROM events WHERE ${createRangeSql(range, from, to)} ${condition})`
  const countRest = (condition: string) =>
    `${count('?6', '?7', condition)} - ${count('?2', '?3', condition)} - ${count('?4', '?5', condition)}`
  return sql
    .exec<{ device: string; events: number; undescribed: number }>(
      `SELECT camera.value AS device, coalesce(sum(events), 0) + ${countRest('')} AS events,
         coalesce(sum(undescribed), 0) + ${countRest(`AND ${UNDESCRIBED_SQL}`)} AS undescribed
       FROM json_each(?1) AS camera LEFT JOIN event_days
         ON device_id = camera.value AND day >= ?8 AND day < ?9 ${free ? 'AND free' : ''} GROUP BY camera.key`,
      JSON.stringify(cameras),
      isCounted ? firstDay * DAY_MS : begin,
      begin,
      before,
      Math.max(before, countedEnd * DAY_MS),
      uncountedBegin,
      Math.max(before, uncountedBegin),
      firstDay,
      countedEnd,
    )
    .toArray()
}

interface ExpectedDescriptions {
  readonly arriving: number
  readonly waiting: number
}

const NONE_EXPECTED: ExpectedDescriptions = { arriving: 0, waiting: 0 }

/** Counts the undescribed events of a camera whose clip, or whose description, may still arrive. */
function countExpectedDescriptions(
  sql: SqlStorage,
  device: string,
  range: EventRange,
  now: number,
): ExpectedDescriptions {
  return sql
    .exec<{ arriving: number; waiting: number }>(
      `SELECT (SELECT count(*) FROM events
           WHERE ${createRangeSql(range, '?2', '?3')} AND moments IS NULL AND uploading = 1) AS arriving,
         (SELECT count(*) FROM events WHERE ${createRangeSql(range, 'max(?2, ?4)', '?3')} AND moments IS NULL AND uploading = 0
           AND EXISTS (SELECT 1 FROM events WHERE device_id = camera.value AND described_at >= ?5)) AS waiting
       FROM (SELECT ?1 AS value) AS camera`,
      device,
      range.begin,
      range.before,
      now - DESCRIPTION_WAIT_MS,
      now - RECENT_DESCRIPTION_MS,
    )
    .one()
}
