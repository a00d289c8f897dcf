import type { SqlStorage } from '@cloudflare/workers-types'
import { tokenize } from '../platform/tokenize.ts'
import { buildVisibleEventsSql, type EventVisibility, serializeVisibility } from '../billing/plans/event-visibility.ts'
import { type PersonNames, toPersonToken } from './person-token.ts'

/** Person in a home. A merged person has no `PersonRow`: clips show the name of the person into which it was merged. */
export interface PersonRow {
  readonly person: number
  readonly name: string | null
  readonly hidden: boolean
  /** Numbers of this person and of all people that were merged into it. */
  readonly members: readonly number[]
}

type PersonTreeRow = { person: number; name: string | null; hidden: number; root: number }

export const toPersonId = (person: number): string => `person_${person}`
/** Returns the number in a person id, or null if the id is malformed. */
export function parsePersonId(id: string): number | null {
  const number = /^person_([1-9]\d{0,8})$/.exec(id)?.[1]
  return number === undefined ? null : Number(number)
}

export function listPeople(sql: SqlStorage): PersonRow[] {
  const rows = sql
    .exec<PersonTreeRow>(
      `WITH RECURSIVE rooted (person, root) AS (
         SELECT person, person FROM people WHERE merged_into IS NULL
         UNION SELECT people.person, root FROM people JOIN rooted ON merged_into = rooted.person)
       SELECT person, name, hidden, root FROM people JOIN rooted USING (person) ORDER BY person`,
    )
    .toArray()
  const members = Map.groupBy(rows, ({ root }) => root)
  return rows
    .filter(({ person, root }) => person === root)
    .map(({ person, name, hidden }) => ({
      person,
      name,
      hidden: hidden === 1,
      members: (members.get(person) ?? []).map((row) => row.person),
    }))
}

/**
 * Returns the name that clips show: the stored name, or a default such as "Person 3" if there is none. Returns null for
 * a hidden person.
 */
export const getShownName = ({ person, name, hidden }: PersonRow): string | null =>
  hidden ? null : (name ?? `Person ${person}`)

/** Returns true for a default such as "Person 3". */
export const isDefaultPersonName = (name: string): boolean => /^Person \d+$/.test(name)

/** Maps each person number to the name that appears in clips. Omits hidden people. */
export function buildNameMap(people: readonly PersonRow[]): PersonNames {
  const namedMembers = people.map((person) => [getShownName(person), person.members] as const)
  return new Map(
    namedMembers.flatMap(([name, members]) => (name === null ? [] : members.map((member) => [member, name] as const))),
  )
}

/**
 * Number of visible clips that show a person, and the times (ms UTC) of the first and the last clip. `event_id` and
 * `device_id` belong to the last clip.
 */
export type Sightings = { events: number; first_seen: number; last_seen: number; event_id: string; device_id: string }

/** Returns the full-text query for clips with any of these person tokens. */
export const buildLabelQuery = (tokens: readonly string[]): string =>
  `labels : (${tokens.map((token) => `"${token}"`).join(' OR ')})`

export function countSightings(
  sql: SqlStorage,
  visibility: EventVisibility,
  tokens: readonly string[],
  { from, before }: { from: string; before: string },
): number {
  return sql
    .exec<{ n: number }>(
      `SELECT count(*) AS n FROM events WHERE gone IS NULL AND ${buildVisibleEventsSql(visibility, '?2')} AND doc IN (
         SELECT rowid FROM search_index WHERE search_index MATCH ?1
           AND rowid >= CAST(?3 AS INTEGER) AND rowid < CAST(?4 AS INTEGER))`,
      buildLabelQuery(tokens),
      serializeVisibility(visibility),
      from,
      before,
    )
    .one().n
}

/** Returns the sightings of a person; null if no visible clip shows the person. */
export function findSightings(sql: SqlStorage, visibility: EventVisibility, { members }: PersonRow): Sightings | null {
  if (visibility.length === 0) return null
  const rows = sql.exec<Sightings>(
    `WITH seen AS MATERIALIZED (SELECT event_ts, event_id, device_id FROM events
       WHERE doc IN (SELECT rowid FROM search_index WHERE search_index MATCH ?1)
         AND gone IS NULL AND ${buildVisibleEventsSql(visibility, '?2')})
     SELECT count(*) AS events, (SELECT min(event_ts) FROM seen) AS first_seen, max(event_ts) AS last_seen, event_id, device_id
     FROM seen`,
    buildLabelQuery(members.map(toPersonToken)),
    serializeVisibility(visibility),
  )
  const row = rows.one()
  return row.events === 0 ? null : row
}

/** Sets the name that the owner gives a person. A name also unhides the person; null removes the name. */
export function setPersonName(sql: SqlStorage, person: number, name: string | null): void {
  sql.exec('UPDATE people SET name = ?2, hidden = iif(?2 IS NULL, hidden, 0) WHERE person = ?1', person, name)
}

export function setPersonHidden(sql: SqlStorage, person: number, hidden: boolean): void {
  sql.exec('UPDATE people SET hidden = ?2 WHERE person = ?1', person, hidden ? 1 : 0)
}

/** Merges `person` into the person `into`, including all people that were merged into `person` earlier. */
export function mergePersonRow(sql: SqlStorage, person: number, into: number, now: number): void {
  sql.exec('UPDATE people SET merged_into = ?2, merged_at = ?3 WHERE person = ?1', person, into, now)
}

export const isMerged = (sql: SqlStorage, person: number): boolean =>
  sql.exec('SELECT 1 FROM people WHERE person = ? AND merged_into IS NOT NULL', person).toArray().length > 0

/**
 * Undoes the merge of a person. Returns false if the person was not merged at or after `since` (ms UTC). The separated
 * person loses its name if another person has that name now.
 */
export function splitPersonRow(sql: SqlStorage, person: number, since: number): boolean {
  const rows = sql.exec(
    `UPDATE people SET merged_into = NULL, merged_at = NULL WHERE person = ?1 AND merged_at >= ?2 RETURNING person`,
    person,
    since,
  )
  if (rows.toArray().length === 0) return false
  sql.exec(
    `UPDATE people SET name = NULL WHERE person = ?1 AND lower(name) IN
       (SELECT lower(name) FROM people WHERE person <> ?1 AND merged_into IS NULL)`,
    person,
  )
  return true
}

export function listOwnNames(sql: SqlStorage, persons: readonly number[]): string[] {
  const rows = sql.exec<{ name: string }>(
    'SELECT name FROM people WHERE name IS NOT NULL AND person IN (SELECT value FROM json_each(?))',
    JSON.stringify(persons),
  )
  return rows.toArray().map(({ name }) => name)
}

/**
 * Deletes people, their faces, the pairs in which they are marked as different, and all search votes for queries that
 * contain a word of their names.
 */
export function deletePersonRows(sql: SqlStorage, persons: readonly number[], names: readonly string[]): void {
  const json = JSON.stringify(persons)
  sql.exec('DELETE FROM people_faces WHERE person IN (SELECT value FROM json_each(?))', json)
  sql.exec('DELETE FROM people WHERE person IN (SELECT value FROM json_each(?))', json)
  sql.exec(
    `DELETE FROM different_people
     WHERE person IN (SELECT value FROM json_each(?1)) OR other IN (SELECT value FROM json_each(?1))`,
    json,
  )
  for (const word of new Set(names.flatMap(tokenize)))
    sql.exec(`DELETE FROM search_votes WHERE instr(' ' || words || ' ', ' ' || ?1 || ' ') > 0`, word)
}
