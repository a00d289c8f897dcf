import type { SqlStorage } from '@cloudflare/workers-types'
import { EVENT_TAGS } from '../../contract/events/event-tags.ts'
import { parseJsonAs, lenientStrings } from '../../contract/wire/lenient-parse.ts'
import {
  limitVisibility,
  buildVisibleEventsSql,
  type EventVisibility,
  getVisibilityStart,
  serializeVisibility,
} from '../billing/plans/event-visibility.ts'
import { DAY_MS, HOUR_MS } from '../../contract/time-units.ts'

/**
 * `COMPARISON_PERIOD_MS`: an event is compared with the events of this period before it. `MIN_HISTORY_MS`: minimum
 * history of a camera before its events can be unusual.
 */
const COMPARISON_PERIOD_MS = 14 * DAY_MS
const MIN_HISTORY_MS = 7 * DAY_MS
/** Events with a common tag are similar if their times of day differ by at most this time. */
const MAX_TIME_OF_DAY_DIFFERENCE_MS = HOUR_MS

export interface Anomaly {
  event_id: string
  anomaly: boolean
  /** One sentence, empty if the event is usual. */
  text: string
}

type EventRow = { event_id: string; device_id: string; event_ts: number; tags: string }

/** Tags that do not distinguish events, because every event has motion. */
const UNINFORMATIVE_TAGS: ReadonlySet<string> = new Set(['4', '5', '11'])

/**
 * Judges the visible events among the ids, in order of the ids. An event is unusual if its camera had no similar event
 * at that time of day in the two weeks before the event. The camera needs a week of history.
 */
export function judgeAnomalies(sql: SqlStorage, visibility: EventVisibility, eventIds: readonly string[]): Anomaly[] {
  const rows = sql.exec<EventRow>(
    `SELECT event_id, device_id, event_ts, tags FROM json_each(?1) AS asked JOIN events ON event_id = asked.value
     WHERE gone IS NULL AND ${buildVisibleEventsSql(visibility, '?2')} ORDER BY asked.key`,
    JSON.stringify(eventIds),
    serializeVisibility(visibility),
  )
  return rows
    .toArray()
    .map((row) => judgeEvent(sql, row, getVisibilityStart(limitVisibility(visibility, [row.device_id]))))
}

/** Judges one event. `since`: start of the visible period (ms UTC). Earlier events are not compared. */
function judgeEvent(sql: SqlStorage, { event_id, device_id, event_ts, tags }: EventRow, since: number): Anomaly {
  const informativeTags = (parseJsonAs(lenientStrings, tags) ?? []).filter((tag) => !UNINFORMATIVE_TAGS.has(tag))
  const usual = { event_id, anomaly: false, text: '' }
  const [kind] = informativeTags
  if (kind === undefined) return usual
  const rows = sql
    .exec<{ event_ts: number; alike: number }>(
      `SELECT event_ts, EXISTS (SELECT 1 FROM json_each(tags) WHERE value IN (SELECT value FROM json_each(?4))) AS alike
       FROM events WHERE gone IS NULL AND device_id = ?1 AND event_ts >= ?2 AND event_ts < ?3 ORDER BY event_ts`,
      device_id,
      Math.max(since, event_ts - COMPARISON_PERIOD_MS),
      event_ts,
      JSON.stringify(informativeTags),
    )
    .toArray()
  const first = rows[0]
  if (!first || event_ts - first.event_ts < MIN_HISTORY_MS) return usual
  if (rows.some((row) => row.alike === 1 && isSimilarTimeOfDay(row.event_ts, event_ts))) return usual
  const name = EVENT_TAGS.find((tag) => tag.id === kind)?.name ?? 'Event'
  const days = Math.round((event_ts - first.event_ts) / DAY_MS)
  return {
    event_id,
    anomaly: true,
    text: `${name} at an unusual time: no similar events around this time in the last ${days} days.`,
  }
}

function isSimilarTimeOfDay(a: number, b: number): boolean {
  const distanceMs = (((a - b) % DAY_MS) + DAY_MS) % DAY_MS
  return Math.min(distanceMs, DAY_MS - distanceMs) <= MAX_TIME_OF_DAY_DIFFERENCE_MS
}
