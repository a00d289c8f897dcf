import type { SqlStorage } from '@cloudflare/workers-types'
import type { SearchCoverageCounts } from '../../../contract/search/search-calls.ts'
import { yieldToEventLoop } from '../../platform/yield-to-event-loop.ts'
import type { EventVisibility } from '../../billing/plans/event-visibility.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

/** Maximum number of events counted per step. */
const COUNTED = 200_000

/**
 * Time for which a clip without a description counts as waiting, if a clip of the same camera was described within the
 * last `DESCRIBES_MS`.
 */
const WAITS_MS = DAY_MS
const DESCRIBES_MS = 7 * DAY_MS

/**
 * Counts the visible events in the range, camera by camera, and yields between steps. A clip without a description
 * counts as arriving while it uploads, and as waiting if a description may still come. `since`: time (ms UTC) before
 * which not all events were searched; null if all were.
 */
export async function countCoverage(
  sql: SqlStorage,
  { view, start, end, now }: { view: EventVisibility; start: number; end: number; now: number },
  since: number | null,
): Promise<Omit<SearchCoverageCounts, 'kept_since'>> {
  const sums = { clips: 0, arriving: 0, waiting: 0, undescribed: 0 }
  let older = 0
  const isLarge = eventsAtMost(sql) > COUNTED
  for (const { devices, since: visibleSince, free } of view)
    for (const device of devices) {
      const from = Math.max(start, visibleSince)
      const reached = Math.max(from, since ?? from)
      const count = (kind: Counted, begin: number, before: number) =>
        counted(sql, device, { kind, free, begin, before, isLarge })
      const [near, open] = [await count('all', reached, end + 1), await count('open', reached, end + 1)]
      const unreached = await count('all', from, reached)
      sums.clips += near.events + unreached.events
      older += unreached.events
      sums.arriving += open.uploading
      const hopes = isDescribed(sql, device, now) && (await count('open', Math.max(reached, now - WAITS_MS), end + 1))
      const waiting = hopes ? hopes.events - hopes.uploading : 0
      sums.waiting += waiting
      sums.undescribed += open.events - open.uploading - waiting
    }
  return {
    ...{ ...sums, searched: sums.clips - older - sums.arriving - sums.waiting - sums.undescribed },
    ...(older > 0 && since !== null ? { left_out: { before: since, clips: older } } : {}),
  }
}

/** Returns an upper bound of the number of events. Row ids are consecutive, apart from deleted rows. */
function eventsAtMost(sql: SqlStorage): number {
  const query = 'SELECT (SELECT max(rowid) FROM events) - (SELECT min(rowid) FROM events) + 1 AS events'
  return sql.exec<{ events: number | null }>(query).one().events ?? 0
}

/** Returns true if a clip of the camera was described recently. */
function isDescribed(sql: SqlStorage, device: string, now: number): boolean {
  const query = 'SELECT 1 FROM events WHERE device_id = ? AND described_at >= ? LIMIT 1'
  return sql.exec(query, device, now - DESCRIBES_MS).toArray().length > 0
}

/** Events to count: all, or only those without a description (`open`). */
type Counted = 'all' | 'open'

async function counted(
  sql: SqlStorage,
  device: string,
  {
    kind,
    free,
    begin,
    before,
    isLarge,
  }: { kind: Counted; free: boolean; begin: number; before: number; isLarge: boolean },
): Promise<{ events: number; uploading: number }> {
  const also = `${kind === 'all' ? '' : 'AND moments IS NULL'} ${free ? 'AND free' : ''}`
  const where = `gone IS NULL AND device_id = ?1 AND event_ts >= ?2 AND event_ts < ?3 ${also}`
  const sums = { events: 0, uploading: 0 }
  for (let end = before; begin < end; await yieldToEventLoop()) {
    const edge = `SELECT event_ts FROM events WHERE ${where} ORDER BY event_ts DESC LIMIT 1 OFFSET ${COUNTED}`
    const edges = isLarge ? sql.exec<{ event_ts: number }>(edge, device, begin, end).toArray() : []
    const from = edges[0]?.event_ts ?? begin
    const { events, uploading } = sql
      .exec<{ events: number; uploading: number }>(
        `SELECT count(*) AS events, ${kind === 'all' ? '0' : 'coalesce(sum(uploading), 0)'} AS uploading FROM events WHERE ${where}`,
        ...[device, from, end],
      )
      .one()
    sums.events += events
    sums.uploading += uploading
    if (from === begin) break
    end = from
  }
  return sums
}
