import type { SqlStorage } from '@cloudflare/workers-types'
import type { Coverage } from '../../contract/search.ts'
import { docAt, HIT, lastDocAt } from './moment-columns.ts'
import { matchOf, type Concept } from './rules.ts'

/** Where is looked: cameras, kinds of events (none: any), ms UTC. */
export interface Scope {
  readonly devices: readonly string[]
  readonly tags: readonly string[]
  readonly start: number
  readonly end: number
}

export type Hit = {
  event_id: string
  event_ts: number
  /** Bit n: concept n matches. */
  mask: number
  /** How well the words match; the smaller, the better. */
  rank: number
}

/** Of more events that match the same concepts the newest so many are compared by their words. */
const COMPARED = 3000
const COMPARED_PARTLY = 400
/** Where a word stands: title, moments, values, tags, camera. */
const RANK = 'bm25(search_index, 2.0, 3.0, 1.5, 1.0, 1.0)'

const json = JSON.stringify
/** The range of the index, parameters 2 and 3. */
const RANGE = `search_index MATCH ?1 AND rowid BETWEEN ${docAt('?2')} AND ${lastDocAt('?3')}`
/** The exact filter, parameters 4 and 5: what the index says of cameras and tags is of words only. */
const SHOWN = `device_id IN (SELECT value FROM json_each(?4)) AND event_ts BETWEEN ?2 AND ?3 AND gone IS NULL
  AND (?5 = '[]' OR EXISTS (SELECT 1 FROM json_each(?5) AS asked JOIN json_each(events.tags) AS has ON has.value = asked.value))`

const scopeValues = ({ start, end, devices, tags }: Scope) => [start, end, json(devices), json(tags)] as const

/** Events that match every concept, the best first. `only`: of these events. */
export function matchingAll(
  sql: SqlStorage,
  concepts: readonly Concept[],
  scope: Scope,
  limit: number,
  only: readonly string[] | null = null,
): Hit[] {
  const match = concepts.map((concept) => `(${matchOf(concept)})`).join(' AND ')
  const these =
    only === null ? '' : 'AND rowid IN (SELECT doc FROM events WHERE event_id IN (SELECT value FROM json_each(?8)))'
  return sql
    .exec<Hit>(
      `SELECT event_id, event_ts, ?6 AS mask, rank FROM (
         SELECT rowid AS found, ${RANK} AS rank FROM search_index WHERE ${RANGE} ${these} ORDER BY rowid DESC LIMIT ${COMPARED}
       ) JOIN events ON doc = found WHERE ${SHOWN} ORDER BY rank, doc DESC LIMIT ?7`,
      ...[match, ...scopeValues(scope), 2 ** concepts.length - 1, limit],
      ...(only === null ? [] : [json(only)]),
    )
    .toArray()
}

/** Whether anything matches the concept. */
export function isKnown(sql: SqlStorage, concept: Concept): boolean {
  const rows = sql.exec('SELECT 1 AS one FROM search_index WHERE search_index MATCH ? LIMIT 1', matchOf(concept))
  return rows.toArray().length > 0
}

/** How many of all events match each concept. */
export function frequencies(sql: SqlStorage, concepts: readonly Concept[]): number[] {
  return concepts.map(
    (concept) =>
      sql
        .exec<{ n: number }>('SELECT count(*) AS n FROM search_index WHERE search_index MATCH ?', matchOf(concept))
        .one().n,
  )
}

/** Stems in the texts of events that begin with a letter. */
export function vocabulary(sql: SqlStorage, initial: string): string[] {
  return sql
    .exec<{ term: string }>(
      `SELECT DISTINCT term FROM search_words WHERE term >= ?1 AND term < ?1 || char(0x10ffff)
         AND col IN ('title', 'moments', 'labels')`,
      initial,
    )
    .toArray()
    .map(({ term }) => term)
}

/** How many events match every concept. */
export function countAll(sql: SqlStorage, concepts: readonly Concept[], scope: Scope): number {
  if (concepts.length === 0) return 0
  const match = concepts.map((concept) => `(${matchOf(concept)})`).join(' AND ')
  return sql
    .exec<{ n: number }>(
      `SELECT count(*) AS n FROM search_index JOIN events ON doc = search_index.rowid
       WHERE ${RANGE.replace('rowid', 'search_index.rowid')} AND events.${SHOWN}`,
      match,
      ...scopeValues(scope),
    )
    .one().n
}

/** How many events the index holds. */
export function indexed(sql: SqlStorage): number {
  return sql.exec<{ n: number }>('SELECT count(*) AS n FROM events WHERE gone IS NULL').one().n
}

/** Events that match some of the concepts, by the sum of the weights of those that they match, then by their words. */
export function matchingSome(
  sql: SqlStorage,
  concepts: readonly Concept[],
  weights: readonly number[],
  scope: Scope,
): Hit[] {
  const parts = concepts.map(
    (_, i) => `SELECT rowid AS found, ${2 ** i} AS bit, ${weights[i] ?? 0} AS weight FROM search_index
      WHERE search_index MATCH ?${i + 6} AND rowid BETWEEN ${docAt('?2')} AND ${lastDocAt('?3')}`,
  )
  const any = concepts.map((concept) => `(${matchOf(concept)})`).join(' OR ')
  return sql
    .exec<Hit>(
      `WITH best AS MATERIALIZED (
         SELECT doc, event_id, event_ts, sum(bit) AS mask, sum(weight) AS weight FROM (${parts.join(' UNION ALL ')})
         JOIN events ON doc = found WHERE ${SHOWN} GROUP BY doc ORDER BY weight DESC, doc DESC LIMIT ${COMPARED_PARTLY})
       SELECT event_id, event_ts, mask, ${RANK} AS rank FROM search_index JOIN best ON best.doc = search_index.rowid
       WHERE search_index MATCH ?1 ORDER BY best.weight DESC, rank, best.doc DESC`,
      any,
      ...scopeValues(scope),
      ...concepts.map(matchOf),
    )
    .toArray()
}

export type Shown = {
  event_id: string
  device_id: string
  title: string
  labels: string
  moments: string | null
  times: string | null
}

/** Texts of these events, with `HIT` around what matches. */
export function highlighted(sql: SqlStorage, concepts: readonly Concept[], eventIds: readonly string[]): Shown[] {
  const mark = (column: number) => `highlight(search_index, ${column}, '${HIT.from}', '${HIT.to}')`
  return sql
    .exec<Shown>(
      `SELECT events.event_id, events.device_id, ${mark(0)} AS title, ${mark(1)} AS moments, ${mark(2)} AS labels, moment_times AS times
       FROM search_index JOIN events ON events.doc = search_index.rowid WHERE search_index MATCH ?1
       AND search_index.rowid IN (SELECT doc FROM events WHERE event_id IN (SELECT value FROM json_each(?2)))`,
      concepts.map((concept) => `(${matchOf(concept)})`).join(' OR '),
      json(eventIds),
    )
    .toArray()
}

/** What searches in the same words have been told of events: above 0 they were right. */
export function votesOn(sql: SqlStorage, words: string): Map<string, number> {
  const rows = sql.exec<{ event_id: string; vote: number }>(
    'SELECT event_id, sum(vote) AS vote FROM search_votes WHERE words = ? GROUP BY event_id',
    words,
  )
  return new Map(rows.toArray().map(({ event_id, vote }) => [event_id, vote]))
}

/** Notes what is said of the events that are still there. */
export function putVotes(
  sql: SqlStorage,
  feedback: { feedbackId: string; words: string; vote: 1 | -1 },
  eventIds: readonly string[],
): void {
  sql.exec(
    `INSERT OR REPLACE INTO search_votes (words, event_id, feedback_id, vote)
     SELECT ?1, event_id, ?2, ?3 FROM events WHERE event_id IN (SELECT value FROM json_each(?4)) AND gone IS NULL`,
    feedback.words,
    feedback.feedbackId,
    feedback.vote,
    json(eventIds),
  )
}

export function dropVotes(sql: SqlStorage, feedbackId: string): void {
  sql.exec('DELETE FROM search_votes WHERE feedback_id = ?', feedbackId)
}

/** Numbers of events in the range; what is on its way counts as that until it is known what it shows. */
export function coverageOf(
  sql: SqlStorage,
  { devices, start, end }: Pick<Scope, 'devices' | 'start' | 'end'>,
): Omit<Coverage, 'kept_since'> {
  return sql
    .exec<Omit<Coverage, 'kept_since'>>(
      `SELECT count(*) AS clips, count(moments) AS searched, coalesce(sum(moments IS NULL AND uploading), 0) AS arriving,
         coalesce(sum(moments IS NULL AND NOT uploading), 0) AS undescribed
       FROM events WHERE gone IS NULL AND event_ts BETWEEN ?1 AND ?2 AND +device_id IN (SELECT value FROM json_each(?3))`,
      start,
      end,
      json(devices),
    )
    .one()
}
