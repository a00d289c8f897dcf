import type { SqlStorage } from '@cloudflare/workers-types'
import type { EventListRequest } from '../../contract/events/events.ts'
import { yieldToEventLoop } from '../platform/yield-to-event-loop.ts'
import { isToken, insertNamesInJson, withoutMarks } from '../people/person-token.ts'
import { NOTHING_SHOWN, type ShownNames } from '../people/shown-names.ts'
import {
  listVisibleCameras,
  limitVisibility,
  shownSql,
  type EventVisibility,
  viewBegins,
  viewJson,
} from '../billing/plans/event-visibility.ts'
import { toIndexRange, rareDocs } from './document-id-rows.ts'
import { marked } from '../platform/tokenize.ts'
import { WIRE_EVENT } from './event-rows.ts'
import { docAt, lastDocAt } from './index-columns.ts'

export type EventQuery = Pick<
  EventListRequest,
  'begin_time' | 'end_time' | 'device_id_list' | 'event_tag_list' | 'event_value_list'
> & {
  count: number
  /** Only events with a free type id. */
  free: boolean
}

/** Maximum rows of one step; the first step reads as many as requested. */
export const STEP_MAX = 4000
const STEP_MIN = 100
/** Maximum matches for which events with a tag or value are read through the full-text index. */
const RARE = 2000

/** SQL condition for a time range in parameters 1 and 2. Document ids are derived from times, so it compares ids. */
const DOCS = `doc BETWEEN ${docAt('?1')} AND ${lastDocAt('?2')}`

interface Listing {
  readonly where: readonly string[]
  /** Parameters from `?4` on. */
  readonly values: readonly (string | number)[]
  /** The single camera that the query covers; null if there are several. */
  readonly device: string | null
  /** True if the document ids of all possible events are known. */
  readonly few: boolean
}

/**
 * Returns a JSON array of the visible events, newest first. If the query names cameras, returns only their events.
 * Joins the JSON texts of single events. Reads in steps, so that other requests run in between.
 */
export async function listEvents(
  sql: SqlStorage,
  view: EventVisibility,
  query: EventQuery,
  names: ShownNames = NOTHING_SHOWN,
): Promise<string> {
  const { device_id_list: deviceIds, count } = query
  const queryView = deviceIds.length === 0 ? view : limitVisibility(view, deviceIds)
  if (listVisibleCameras(queryView).length === 0) return '[]'
  const begin = Math.max(query.begin_time, viewBegins(queryView))
  const listing = buildListing(sql, queryView, query, begin, names)
  const found: string[] = []
  for (let [end, step] = [query.end_time, Math.min(STEP_MAX, Math.max(STEP_MIN, count))]; begin <= end;) {
    const edge = Math.max(begin, findStepStart(sql, listing, { begin, end }, step) ?? begin)
    found.push(...readStep(sql, listing, { begin: edge, end }, count - found.length))
    if (found.length >= count || edge <= begin) break
    end = edge - 1
    step = STEP_MAX
    await yieldToEventLoop()
  }
  return `[${found.map((json) => insertNamesInJson(json, names.at)).join(',')}]`
}

function buildListing(
  sql: SqlStorage,
  view: EventVisibility,
  query: EventQuery,
  begin: number,
  names: ShownNames,
): Listing {
  const devices = listVisibleCameras(view)
  const device = devices.length === 1 ? (devices[0] ?? '') : null
  const where = ['gone IS NULL']
  const values: (string | number)[] = []
  let isFew = false
  const bound = (value: string | number) => `?${values.push(value) + 3}`
  if (query.free || view.every(({ free }) => free)) where.push('free')
  /* A single camera has its own index. */
  where.push(device === null ? shownSql(view, bound(viewJson(view))) : `device_id = ${bound(device)}`)
  for (const [column, words] of [
    ['tag', query.event_tag_list],
    ['label', withTokens(query.event_value_list, names)],
  ] as const) {
    if (words.length === 0) continue
    const has = words.map((word) => {
      const isThere = `instr(${column}_index, ${bound(marked([word]))}) > 0`
      return isToken(word) ? `(${isThere} AND ${onCameras(bound(JSON.stringify(names.cameras)))})` : isThere
    })
    where.push(`(${has.join(' OR ')})`)
    const few = fewWith(sql, column === 'tag' ? 'tags' : 'labels', words, { start: begin, end: query.end_time })
    if (few === null || isFew) continue
    isFew = true
    where.push(`doc IN (SELECT value FROM json_each(${bound(`[${few.join(',')}]`)}))`)
  }
  return { where, values, device, few: isFew }
}

const withTokens = (values: readonly string[], { people }: ShownNames): readonly string[] =>
  values.flatMap((value) => people.find(({ name }) => name === value)?.tokens ?? [withoutMarks(value)])

/** Limits a name filter to these cameras, because only their events include names. */
const onCameras = (list: string) => `+device_id IN (SELECT value FROM json_each(${list}))`

/** Returns document ids of events that may have one of the words, if they are few; null if there may be many. */
function fewWith(
  sql: SqlStorage,
  column: 'tags' | 'labels',
  words: readonly string[],
  range: { start: number; end: number },
): string[] | null {
  if (!words.every((word) => /[\p{L}\p{N}]/u.test(word))) return null
  /* Quoted as in the index, which contains the column's JSON text. */
  const phrases = words.map((word) => `"${JSON.stringify(word).slice(1, -1).replaceAll('"', '""')}"`)
  return rareDocs(sql, `${column} : (${phrases.join(' OR ')})`, toIndexRange(sql, range), RARE)
}

/**
 * Returns the time, ms UTC, at which a step of `step` events at the end of the range starts. Returns null if the range
 * has fewer events, or if the listing is read by document ids in one step.
 */
function findStepStart(
  sql: SqlStorage,
  { device, few }: Listing,
  { begin, end }: { begin: number; end: number },
  step: number,
): number | null {
  if (few) return null
  const [of, more] = device === null ? ['', []] : ['gone IS NULL AND device_id = ?4 AND', [device]]
  const order = device === null ? 'doc' : 'event_ts'
  const range = device === null ? DOCS : 'event_ts BETWEEN ?1 AND ?2'
  const rows = sql.exec<{ event_ts: number }>(
    `SELECT event_ts FROM events WHERE ${of} ${range} ORDER BY ${order} DESC LIMIT 1 OFFSET ?3`,
    begin,
    end,
    step - 1,
    ...more,
  )
  return rows.toArray()[0]?.event_ts ?? null
}

function readStep(
  sql: SqlStorage,
  { where, values, device, few }: Listing,
  { begin, end }: { begin: number; end: number },
  count: number,
): string[] {
  const exact = few || device === null ? '+event_ts BETWEEN ?1 AND ?2' : 'event_ts BETWEEN ?1 AND ?2'
  const range = few || device !== null ? exact : `${DOCS} AND ${exact}`
  const rows = sql.exec<{ json: string }>(
    `SELECT ${WIRE_EVENT} AS json FROM events WHERE ${range} AND ${where.join(' AND ')}
     ORDER BY event_ts DESC, event_id DESC LIMIT ?3`,
    begin,
    end,
    count,
    ...values,
  )
  return rows.toArray().map(({ json }) => json)
}
