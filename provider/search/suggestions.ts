import type { SqlStorage } from '@cloudflare/workers-types'
import { TOTAL_MAX } from '../../contract/search/search-calls.ts'
import { yieldToEventLoop } from '../platform/yield-to-event-loop.ts'
import { newestRangeStart, toIndexRange, type Doc } from '../events/document-id-rows.ts'
import { countSightings } from '../people/people-rows.ts'
import { hasToken, isToken } from '../people/person-token.ts'
import type { NamedPerson } from '../people/shown-names.ts'
import { shownSql, viewBegins, type EventVisibility, viewJson } from '../billing/plans/event-visibility.ts'
import { withMerged, withTokens } from './named-people.ts'
import { scanRareTerms, scanSlices, prepareScan } from './index/index-scan.ts'
import { requireAll } from './ranking/match-weights.ts'
import type { Suggestion } from './suggestion-handlers.ts'
import { parseQuery, type NamedCamera } from './query/parse-query.ts'
import * as rows from './index/search-rows.ts'
import { TextReader } from './ranking/text-scoring.ts'

/** Maximum number of suggestions per home, and of people among them. */
const SUGGESTED = 6
const PEOPLE = 2
/** Maximum number of newest events that suggestions are derived from, and events per step. */
const READ = 10_000
const STEP = 5000
/** Scan budget for counting the matches of one suggestion. */
const COUNTED = 5000
/** Generic titles that make no useful query. */
const VAGUE: ReadonlySet<string> = new Set(['motion', 'sound', 'person', 'pet', 'animal', 'vehicle', 'package', 'face'])

/**
 * Suggests searches from the newest events in the range: people, frequent titles, and the night. `found` is counted up
 * to `TOTAL_MAX`.
 */
export async function suggestions(
  sql: SqlStorage,
  cameras: readonly NamedCamera[],
  { start, end }: { start: number; end: number },
  view: EventVisibility,
  namedPeople: readonly NamedPerson[] = [],
): Promise<Suggestion[]> {
  if (view.length === 0) return []
  const scope = { ...rows.toScope(sql, view), tags: [], start: Math.max(start, viewBegins(view)), end }
  const { people, titles } = await frequent(sql, view, scope, namedPeople)
  const telling = titles.filter((title) => !VAGUE.has(title.toLowerCase()) && !hasToken(title))
  const suggested: Suggestion[] = []
  for (const query of [...people.slice(0, PEOPLE), 'Somebody at night', ...telling]) {
    if (suggested.length === SUGGESTED) break
    const found = await countAll(sql, query, { cameras, people: namedPeople }, scope)
    if (found > 0) suggested.push({ query, found })
    await yieldToEventLoop()
  }
  return suggested
}

async function countAll(
  sql: SqlStorage,
  query: string,
  { cameras, people }: { cameras: readonly NamedCamera[]; people: readonly NamedPerson[] },
  scope: rows.Scope,
) {
  const understood = parseQuery(withTokens(query, people), cameras, isToken)
  const concepts = understood.concepts.map((concept) => withMerged(concept, people))
  if (concepts.length === 0) return 0
  const prepared = prepareScan(sql, concepts, scope)
  const requirement = requireAll(concepts)
  const rare = scanRareTerms(sql, prepared, new TextReader(concepts), requirement)
  const hits = new Map(rare.map((hit) => [hit.event_id, hit]))
  const enough = () => hits.size >= TOTAL_MAX
  await scanSlices(sql, prepared, requirement, {
    hits,
    enough,
    isLetIn: () => true,
    budget: { left: COUNTED, slices: 0 },
  })
  return Math.min(hits.size, TOTAL_MAX)
}

/**
 * Returns people and titles of the newest events, most frequent first. Ties are alphabetical, so that the order is
 * stable.
 */
async function frequent(
  sql: SqlStorage,
  view: EventVisibility,
  scope: Pick<rows.Scope, 'start' | 'end'>,
  namedPeople: readonly NamedPerson[],
) {
  const [people, titles] = [new Map<string, number>(), new Map<string, number>()]
  const add = (to: Map<string, number>, name: string, count: number) => to.set(name, (to.get(name) ?? 0) + count)
  let { from, before } = toIndexRange(sql, scope)
  const first = from
  for (let read = 0; read < READ; read += STEP) {
    const edge = newestRangeStart(sql, { from: first, before }, STEP)
    from = edge?.doc ?? first
    for (const { name, tokens } of namedPeople) add(people, name, countSightings(sql, view, tokens, { from, before }))
    for (const { title, events } of titlesIn(sql, view, { from, before })) add(titles, title, events)
    if (edge === null) break
    before = edge.doc
    await yieldToEventLoop()
  }
  const names = (counts: ReadonlyMap<string, number>) =>
    [...counts]
      .filter(([, count]) => count > 0)
      .sort(([a, inA], [b, inB]) => inB - inA || (a < b ? -1 : 1))
      .map(([name]) => name)
  return { people: names(people), titles: names(titles).slice(0, 20) }
}

function titlesIn(sql: SqlStorage, view: EventVisibility, { from, before }: { from: Doc; before: Doc }) {
  return sql
    .exec<{ title: string; events: number }>(
      `SELECT title, count(*) AS events FROM events WHERE doc >= CAST(?1 AS INTEGER) AND doc < CAST(?2 AS INTEGER)
         AND gone IS NULL AND title <> '' AND ${shownSql(view, '?3')} GROUP BY title`,
      from,
      before,
      viewJson(view),
    )
    .toArray()
}
