import type { SqlStorage } from '@cloudflare/workers-types'
import { EVENT_TAGS } from '../../contract/events/event-tags.ts'
import { readJson, strings } from '../../contract/wire/lenient-parse.ts'
import {
  limitVisibility,
  shownSql,
  type EventVisibility,
  viewBegins,
  viewJson,
} from '../billing/plans/event-visibility.ts'
import { DAY_MS, HOUR_MS } from '../../contract/time-units.ts'

/** Period before an event that is compared with it, and the minimum history before an event can be unusual. */
const LOOK_BACK_MS = 14 * DAY_MS
const HISTORY_MIN_MS = 7 * DAY_MS
/** Events of the same kind count as similar if their times of day differ by at most this, ms. */
const NEAR_MS = HOUR_MS

export interface Anomaly {
  event_id: string
  anomaly: boolean
  /** One sentence, empty if the event is usual. */
  text: string
}

type Row = { event_id: string; device_id: string; event_ts: number; tags: string }

/** Tags without information: every event has motion. */
const VAGUE: ReadonlySet<string> = new Set(['4', '5', '11'])

/**
 * Judges the visible events among the ids, in their order. An event is unusual if its camera recorded no event of the
 * same kind within an hour of that time of day in the two weeks before, and has at least a week of history.
 */
export function anomalies(sql: SqlStorage, view: EventVisibility, eventIds: readonly string[]): Anomaly[] {
  const rows = sql.exec<Row>(
    `SELECT event_id, device_id, event_ts, tags FROM json_each(?1) AS asked JOIN events ON event_id = asked.value
     WHERE gone IS NULL AND ${shownSql(view, '?2')} ORDER BY asked.key`,
    JSON.stringify(eventIds),
    viewJson(view),
  )
  return rows.toArray().map((row) => judge(sql, row, viewBegins(limitVisibility(view, [row.device_id]))))
}

/** `since`: older events are hidden, so they are not compared. */
function judge(sql: SqlStorage, { event_id, device_id, event_ts, tags }: Row, since: number): Anomaly {
  const own = (readJson(strings, tags) ?? []).filter((tag) => !VAGUE.has(tag))
  const usual = { event_id, anomaly: false, text: '' }
  const [kind] = own
  if (kind === undefined) return usual
  const rows = sql
    .exec<{ event_ts: number; alike: number }>(
      `SELECT event_ts, EXISTS (SELECT 1 FROM json_each(tags) WHERE value IN (SELECT value FROM json_each(?4))) AS alike
       FROM events WHERE gone IS NULL AND device_id = ?1 AND event_ts >= ?2 AND event_ts < ?3 ORDER BY event_ts`,
      device_id,
      Math.max(since, event_ts - LOOK_BACK_MS),
      event_ts,
      JSON.stringify(own),
    )
    .toArray()
  const first = rows[0]
  if (!first || event_ts - first.event_ts < HISTORY_MIN_MS) return usual
  if (rows.some((row) => row.alike === 1 && isNear(row.event_ts, event_ts))) return usual
  const name = EVENT_TAGS.find((tag) => tag.id === kind)?.name ?? 'Event'
  const days = Math.round((event_ts - first.event_ts) / DAY_MS)
  return { event_id, anomaly: true, text: `${name} at a time of day that had none in the last ${days} days.` }
}

function isNear(a: number, b: number): boolean {
  const apart = (((a - b) % DAY_MS) + DAY_MS) % DAY_MS
  return Math.min(apart, DAY_MS - apart) <= NEAR_MS
}
