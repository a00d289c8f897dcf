import type { SqlStorage } from '@cloudflare/workers-types'
import type { EventListRequest } from '../../contract/events/events.ts'
import { yieldToEventLoop } from '../platform/yield-to-event-loop.ts'
import { isPersonToken, insertNamesInJson, removeTokenMarks } from '../people/person-token.ts'
import { NO_SHOWN_NAMES, type ShownNames } from '../people/shown-names.ts'
import {
  listVisibleCameras,
  limitVisibility,
  buildVisibleEventsSql,
  type EventVisibility,
  getVisibilityStart,
  serializeVisibility,
} from '../billing/plans/event-visibility.ts'
import { toDocumentIdRange, findRareDocuments } from './document-id-rows.ts'
import { joinIndexEntries } from '../platform/tokenize.ts'
import { WIRE_EVENT_JSON_SQL } from './event-rows.ts'
import { firstDocumentIdSql, lastDocumentIdSql } from './index-columns.ts'

export type EventQuery = Pick<
  EventListRequest,
  'begin_time' | 'end_time' | 'device_id_list' | 'event_tag_list' | 'event_value_list'
> & {
  count: number
  /** True to list only events with an event type that every plan shows. */
  free: boolean
}

/** Maximum rows that one step reads. The first step reads only `count` rows, but at least `MIN_STEP_ROWS`. */
export const MAX_STEP_ROWS = 4000
const MIN_STEP_ROWS = 100
/** A filter by tag or value uses the full-text index only up to this number of matches. */
const MAX_RARE_MATCHES = 2000

/** SQL condition for the time range in parameters 1 and 2. It compares document ids, which are derived from times. */
const DOCUMENT_RANGE_SQL = `doc BETWEEN ${firstDocumentIdSql('?1')} AND ${lastDocumentIdSql('?2')}`

interface ListingQuery {
  readonly where: readonly string[]
  /** Values of the SQL parameters from `?4` on. */
  readonly values: readonly (string | number)[]
  /** The camera if the query covers exactly one camera, else null. */
  readonly device: string | null
  /** True if `where` already limits the events to known document ids. */
  readonly hasKnownDocuments: boolean
}

/**
 * Returns the visible events as a JSON array, newest first. If the query has cameras, returns only their events. Reads
 * in steps, so that other requests run in between.
 */
export async function listEvents(
  sql: SqlStorage,
  visibility: EventVisibility,
  query: EventQuery,
  names: ShownNames = NO_SHOWN_NAMES,
): Promise<string> {
  const { device_id_list: deviceIds, count } = query
  const queriedVisibility = deviceIds.length === 0 ? visibility : limitVisibility(visibility, deviceIds)
  if (listVisibleCameras(queriedVisibility).length === 0) return '[]'
  const begin = Math.max(query.begin_time, getVisibilityStart(queriedVisibility))
  const listing = buildListing(sql, queriedVisibility, query, begin, names)
  const eventJsons: string[] = []
  for (let [end, step] = [query.end_time, Math.min(MAX_STEP_ROWS, Math.max(MIN_STEP_ROWS, count))]; begin <= end;) {
    const stepStart = Math.max(begin, findStepStart(sql, listing, { begin, end }, step) ?? begin)
    eventJsons.push(...readStep(sql, listing, { begin: stepStart, end }, count - eventJsons.length))
    if (eventJsons.length >= count || stepStart <= begin) break
    end = stepStart - 1
    step = MAX_STEP_ROWS
    await yieldToEventLoop()
  }
  return `[${eventJsons.map((json) => insertNamesInJson(json, names.getCameraNames)).join(',')}]`
}

function buildListing(
  sql: SqlStorage,
  visibility: EventVisibility,
  query: EventQuery,
  begin: number,
  names: ShownNames,
): ListingQuery {
  const devices = listVisibleCameras(visibility)
  const device = devices.length === 1 ? (devices[0] ?? '') : null
  const where = ['gone IS NULL']
  const values: (string | number)[] = []
  let hasKnownDocuments = false
  const addParameter = (value: string | number) => `?${values.push(value) + 3}`
  if (query.free || visibility.every(({ free }) => free)) where.push('free')
  /* Filter a single camera by `device_id` alone, so that SQLite uses the index on this column. */
  where.push(
    device === null
      ? buildVisibleEventsSql(visibility, addParameter(serializeVisibility(visibility)))
      : `device_id = ${addParameter(device)}`,
  )
  for (const [column, words] of [
    ['tag', query.event_tag_list],
    ['label', replaceNamesByTokens(query.event_value_list, names)],
  ] as const) {
    if (words.length === 0) continue
    const wordConditions = words.map((word) => {
      const hasWordSql = `instr(${column}_index, ${addParameter(joinIndexEntries([word]))}) > 0`
      return isPersonToken(word)
        ? `(${hasWordSql} AND ${cameraFilterSql(addParameter(JSON.stringify(names.cameras)))})`
        : hasWordSql
    })
    where.push(`(${wordConditions.join(' OR ')})`)
    const rareDocuments = findDocumentsIfRare(sql, column === 'tag' ? 'tags' : 'labels', words, {
      start: begin,
      end: query.end_time,
    })
    if (rareDocuments === null || hasKnownDocuments) continue
    hasKnownDocuments = true
    where.push(`doc IN (SELECT value FROM json_each(${addParameter(`[${rareDocuments.join(',')}]`)}))`)
  }
  return { where, values, device, hasKnownDocuments }
}

const replaceNamesByTokens = (values: readonly string[], { people }: ShownNames): readonly string[] =>
  values.flatMap((value) => people.find(({ name }) => name === value)?.tokens ?? [removeTokenMarks(value)])

/**
 * Returns SQL that limits a filter by people's names to the cameras in `list` (SQL parameter). Only events of these
 * cameras show names.
 */
const cameraFilterSql = (list: string) => `+device_id IN (SELECT value FROM json_each(${list}))`

/**
 * Returns the document ids of events that may contain one of the words. Returns null above `MAX_RARE_MATCHES`, or if a
 * word contains neither a letter nor a digit.
 */
function findDocumentsIfRare(
  sql: SqlStorage,
  column: 'tags' | 'labels',
  words: readonly string[],
  range: { start: number; end: number },
): string[] | null {
  if (!words.every((word) => /[\p{L}\p{N}]/u.test(word))) return null
  /* Quote the words like JSON, because the index contains the JSON text of the column. */
  const phrases = words.map((word) => `"${JSON.stringify(word).slice(1, -1).replaceAll('"', '""')}"`)
  return findRareDocuments(
    sql,
    `${column} : (${phrases.join(' OR ')})`,
    toDocumentIdRange(sql, range),
    MAX_RARE_MATCHES,
  )
}

/**
 * Returns the time (ms UTC) of the oldest of the newest `step` events in the range. Returns null if there are fewer
 * events or their document ids are known.
 */
function findStepStart(
  sql: SqlStorage,
  { device, hasKnownDocuments }: ListingQuery,
  { begin, end }: { begin: number; end: number },
  step: number,
): number | null {
  if (hasKnownDocuments) return null
  const [cameraFilter, cameraParameters] =
    device === null ? ['', []] : ['gone IS NULL AND device_id = ?4 AND', [device]]
  const order = device === null ? 'doc' : 'event_ts'
  const range = device === null ? DOCUMENT_RANGE_SQL : 'event_ts BETWEEN ?1 AND ?2'
  const rows = sql.exec<{ event_ts: number }>(
    `SELECT event_ts FROM events WHERE ${cameraFilter} ${range} ORDER BY ${order} DESC LIMIT 1 OFFSET ?3`,
    begin,
    end,
    step - 1,
    ...cameraParameters,
  )
  return rows.toArray()[0]?.event_ts ?? null
}

function readStep(
  sql: SqlStorage,
  { where, values, device, hasKnownDocuments }: ListingQuery,
  { begin, end }: { begin: number; end: number },
  count: number,
): string[] {
  const exact = hasKnownDocuments || device === null ? '+event_ts BETWEEN ?1 AND ?2' : 'event_ts BETWEEN ?1 AND ?2'
  const range = hasKnownDocuments || device !== null ? exact : `${DOCUMENT_RANGE_SQL} AND ${exact}`
  const rows = sql.exec<{ json: string }>(
    `SELECT ${WIRE_EVENT_JSON_SQL} AS json FROM events WHERE ${range} AND ${where.join(' AND ')}
     ORDER BY event_ts DESC, event_id DESC LIMIT ?3`,
    begin,
    end,
    count,
    ...values,
  )
  return rows.toArray().map(({ json }) => json)
}
