import type { SqlStorage } from '@cloudflare/workers-types'
import { listPeople } from '../faces/people-rows.ts'
import { shownSql, type View, viewJson } from '../plans/view.ts'
import type { Suggestion } from './recommend.ts'
import { understand, type NamedCamera } from './rules.ts'
import * as rows from './search-rows.ts'

/** Suggestions of a home, each of which finds something. */
const SUGGESTED = 6
const PEOPLE = 2
/** Titles that say no more than what kind of event it is do not make a question. */
const VAGUE: ReadonlySet<string> = new Set(['motion', 'sound', 'person', 'pet', 'animal', 'vehicle', 'package', 'face'])

/** What is worth asking of the events in the range: who was there, what happened most, and the night. */
export function suggestions(
  sql: SqlStorage,
  cameras: readonly NamedCamera[],
  { start, end }: { start: number; end: number },
  view: View,
): Suggestion[] {
  const people = listPeople(sql, view, start).map(({ name }) => name)
  const titles = frequentTitles(sql, view, start, end).filter(
    (title) => !VAGUE.has(title.toLowerCase()) && !people.includes(title),
  )
  const queries = [...people.slice(0, PEOPLE), 'Somebody at night', ...titles]
  const scope = { ...rows.scopeOf(sql, view), tags: [], start, end }
  const suggested: Suggestion[] = []
  for (const query of queries) {
    if (suggested.length === SUGGESTED) break
    const found = rows.countAny(sql, [understand(query, cameras)], scope)
    if (found > 0) suggested.push({ query, found })
  }
  return suggested
}

/** The most frequent first; of those that are equally frequent in the order of the alphabet, so that they stay put. */
function frequentTitles(sql: SqlStorage, view: View, start: number, end: number): string[] {
  return sql
    .exec<{ title: string }>(
      `SELECT title FROM events WHERE gone IS NULL AND event_ts BETWEEN ?1 AND ?2 AND title <> ''
         AND ${shownSql(view, '?3')} GROUP BY title ORDER BY count(*) DESC, title LIMIT 20`,
      start,
      end,
      viewJson(view),
    )
    .toArray()
    .map(({ title }) => title)
}
