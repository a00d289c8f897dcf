import type { SqlStorage } from '@cloudflare/workers-types'
import type { SearchCoverageCounts } from '../../../contract/search/search-calls.ts'
import { yieldToEventLoop } from '../../platform/yield-to-event-loop.ts'
import type { EventVisibility } from '../../billing/plans/event-visibility.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

const EVENTS_PER_STEP = 200_000

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
  const isLarge = getMaxEventCount(sql) > EVENTS_PER_STEP
  for (const { devices, since: visibleSince, free } of view)
    for (const device of devices) {
      const from = Math.max(start, visibleSince)
      const searchedFrom = Math.max(from, since ?? from)
      const count = (kind: EventCountKind, begin: number, before: number) =>
        countEvents(sql, device, { kind, free, begin, before, isLarge })
      const [searched, undescribed] = [
        await count('all', searchedFrom, end + 1),
        await count('open', searchedFrom, end + 1),
      ]
      const unsearched = await count('all', from, searchedFrom)
      sums.clips += searched.events + unsearched.events
      unsearchedClips += unsearched.events
      sums.arriving += undescribed.uploading
      const recentUndescribed =
        hasRecentDescription(sql, device, now) &&
        (await count('open', Math.max(searchedFrom, now - DESCRIPTION_WAIT_MS), end + 1))
      const waiting = recentUndescribed ? recentUndescribed.events - recentUndescribed.uploading : 0
      sums.waiting += waiting
      sums.undescribed += undescribed.events - undescribed.uploading - waiting
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

function hasRecentDescription(sql: SqlStorage, device: string, now: number): boolean {
  const query = 'SELECT 1 FROM events WHERE device_id = ? AND described_at >= ? LIMIT 1'
  return sql.exec(query, device, now - RECENT_DESCRIPTION_MS).toArray().length > 0
}

/** Events to count. `all`: every event. `open`: only events without a description. */
type EventCountKind = 'all' | 'open'

async function countEvents(
  sql: SqlStorage,
  device: string,
  {
    kind,
    free,
    begin,
    before,
    isLarge,
  }: { kind: EventCountKind; free: boolean; begin: number; before: number; isLarge: boolean },
): Promise<{ events: number; uploading: number }> {
  const extraConditions = `${kind === 'all' ? '' : 'AND moments IS NULL'} ${free ? 'AND free' : ''}`
  const where = `gone IS NULL AND device_id = ?1 AND event_ts >= ?2 AND event_ts < ?3 ${extraConditions}`
  const sums = { events: 0, uploading: 0 }
  for (let end = before; begin < end; await yieldToEventLoop()) {
    const edge = `SELECT event_ts FROM events WHERE ${where} ORDER BY event_ts DESC LIMIT 1 OFFSET ${EVENTS_PER_STEP}`
    const edges = isLarge ? sql.exec<{ event_ts: number }>(edge, device, begin, end).toArray() : []
    const from = edges[0]?.event_ts ?? begin
    const { events, uploading } = sql
      .exec<{ events: number; uploading: number }>(
        `SELECT count(*) AS events, ${kind === 'all' ? '0' : 'coalesce(sum(uploading), 0)'} AS uploading FROM events WHERE ${where}`,
        device,
        from,
        end,
      )
      .one()
    sums.events += events
    sums.uploading += uploading
    if (from === begin) break
    end = from
  }
  return sums
}
