import type { SqlStorage } from '@cloudflare/workers-types'
import * as v from 'valibot'
import type { Coverage } from '../../contract/search.ts'
import { readJson } from '../../contract/tolerant.ts'
import { camerasOf, shownSql, type View, viewJson } from '../plans/view.ts'
import { docAt, lastDocAt } from '../events/moment-columns.ts'
import { columnOf, matchOf, type Concept } from './rules.ts'

/** Where is looked: what a view shows, kinds of events (none: any), ms UTC. */
export interface Scope {
  readonly view: View
  /** Whether the home has, or had, other cameras than those of the view. */
  readonly narrow: boolean
  readonly tags: readonly string[]
  readonly start: number
  readonly end: number
}

export type Hit = {
  event_id: string
  event_ts: number
  /** How well the words match; the smaller, the better. */
  rank: number
}

/** Of more events that match the same concepts the newest so many are compared by their words. */
const COMPARED = 500
/** Where a word stands: title, moments, values, tags, camera. */
const RANK = 'bm25(search_index, 2.0, 3.0, 1.5, 1.0, 1.0)'

const json = JSON.stringify
/** The range of the index, parameters 1 to 3. */
const RANGE = `search_index MATCH ?1 AND search_index.rowid BETWEEN ${docAt('?2')} AND ${lastDocAt('?3')}`
/** The exact filter, parameters 2 to 5: the index knows cameras and tags by their words only. The unary plus keeps SQLite on the index of words. */
const shown = (view: View) => `${shownSql(view, '?4')} AND +event_ts BETWEEN ?2 AND ?3 AND gone IS NULL
  AND (?5 = '[]' OR EXISTS (SELECT 1 FROM json_each(?5) AS asked JOIN json_each(events.tags) AS has ON has.value = asked.value))`

/** Parameters 1 to 5: every concept of one of the lists, in the scope. */
function questionOf(wanted: readonly (readonly Concept[])[], { start, end, view, narrow, tags }: Scope) {
  const lists = wanted.map((concepts) => concepts.map((one) => `(${matchOf(one)})`).join(' AND '))
  const parts = [lists.map((list) => `(${list})`).join(' OR ')]
  if (narrow) parts.push(columnOf('device_id', camerasOf(view)))
  if (tags.length > 0) parts.push(columnOf('tags', tags))
  return [parts.map((part) => `(${part})`).join(' AND '), start, end, viewJson(view), json(tags)] as const
}

/** Events that match every concept, the best first. `only`: of these. */
export function matchingAll(
  sql: SqlStorage,
  concepts: readonly Concept[],
  scope: Scope,
  limit: number,
  only: readonly string[] | null = null,
): Hit[] {
  const these = '+search_index.rowid IN (SELECT doc FROM events WHERE event_id IN (SELECT value FROM json_each(?7)))'
  return sql
    .exec<Hit>(
      `SELECT event_id, event_ts, rank FROM (
         SELECT rowid AS found, ${RANK} AS rank FROM search_index WHERE ${RANGE} ${only === null ? '' : `AND ${these}`}
         ORDER BY rowid DESC LIMIT ${COMPARED}
       ) CROSS JOIN events ON doc = found WHERE ${shown(scope.view)} ORDER BY rank, doc DESC LIMIT ?6`,
      ...questionOf([concepts], scope),
      limit,
      ...(only === null ? [] : [json(only)]),
    )
    .toArray()
}

/** Whether anything matches the concept. */
export function isKnown(sql: SqlStorage, concept: Concept): boolean {
  const rows = sql.exec('SELECT 1 AS one FROM search_index WHERE search_index MATCH ? LIMIT 1', matchOf(concept))
  return rows.toArray().length > 0
}

/** A view, as part of a scope. */
export function scopeOf(sql: SqlStorage, view: View): Pick<Scope, 'view' | 'narrow'> {
  const { n } = sql.exec<{ n: number }>('SELECT count(*) AS n FROM devices').one()
  return { view, narrow: n > camerasOf(view).length }
}

/** How many events match every concept of one of the lists; counted up to `most`, where it is given. */
export function countAny(sql: SqlStorage, wanted: readonly (readonly Concept[])[], scope: Scope, most = -1): number {
  if (wanted.every((concepts) => concepts.length === 0)) return 0
  return sql
    .exec<{ n: number }>(
      `SELECT count(*) AS n FROM (SELECT 1 FROM search_index CROSS JOIN events ON doc = search_index.rowid
         WHERE ${RANGE} AND ${shown(scope.view)} LIMIT ?6)`,
      ...questionOf(wanted, scope),
      most,
    )
    .one().n
}

/** More events than that are common, whatever their number. */
const COMMON = 4000

/** How rare each concept is: 0 in many events, 1 in none. */
export function raritiesOf(sql: SqlStorage, concepts: readonly Concept[]): number[] {
  const count = (from: string, ...values: string[]) =>
    sql.exec<{ n: number }>(`SELECT count(*) AS n FROM (SELECT 1 FROM ${from} LIMIT ${COMMON})`, ...values).one().n
  const all = Math.max(1, count('events WHERE gone IS NULL'))
  return concepts.map(
    (concept) => 1 - Math.min(1, count('search_index WHERE search_index MATCH ?', matchOf(concept)) / all),
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

const SENTENCES = v.array(v.string())
const SECONDS = v.array(v.number())
type MomentRow = { event_id: string; moments: string; times: string }

/** Sentences and seconds of the events among the ids that are described. */
export function momentsOf(sql: SqlStorage, eventIds: readonly string[]): Map<string, { text: string; at_s: number }[]> {
  const rows = sql.exec<MomentRow>(
    `SELECT event_id, moments, moment_times AS times FROM events
     WHERE moments IS NOT NULL AND event_id IN (SELECT value FROM json_each(?))`,
    json(eventIds),
  )
  return new Map(
    rows.toArray().map(({ event_id, moments, times }) => {
      const seconds = readJson(SECONDS, times) ?? []
      return [event_id, (readJson(SENTENCES, moments) ?? []).map((text, i) => ({ text, at_s: seconds[i] ?? 0 }))]
    }),
  )
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
  { view, start, end }: Pick<Scope, 'view' | 'start' | 'end'>,
): Omit<Coverage, 'kept_since'> {
  // Camera by camera and in the order of time, as an index has them: no event is read to be counted.
  const there = (what: string, also = '') =>
    view.map(
      ({ free }, i) => `SELECT ${what} FROM events WHERE gone IS NULL
         AND device_id IN (SELECT value FROM json_each(?3, '$[${i}][0]'))
         AND event_ts BETWEEN max(?1, json_extract(?3, '$[${i}][1]')) AND ?2 ${free ? 'AND free' : ''} ${also}`,
    )
  const all = there('count(*) AS n')
  const open = there('uploading', 'AND moments IS NULL')
  if (view.length === 0) return { clips: 0, searched: 0, arriving: 0, undescribed: 0 }
  return sql
    .exec<Omit<Coverage, 'kept_since'>>(
      `SELECT clips, clips - arriving - undescribed AS searched, arriving, undescribed
       FROM (SELECT sum(n) AS clips FROM (${all.join(' UNION ALL ')})), (
         SELECT coalesce(sum(uploading), 0) AS arriving, coalesce(sum(NOT uploading), 0) AS undescribed FROM (${open.join(' UNION ALL ')}))`,
      start,
      end,
      viewJson(view),
    )
    .one()
}
