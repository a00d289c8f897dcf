import type { SqlStorage } from '@cloudflare/workers-types'
import { SEARCH_TOTAL_MAX } from '../../contract/search/search-calls.ts'
import { yieldToEventLoop } from '../platform/yield-to-event-loop.ts'
import { findNewestRangeStart, toDocumentIdRange, type DocumentId } from '../events/document-id-rows.ts'
import { countSightings, isDefaultPersonName } from '../people/people-rows.ts'
import { hasPersonToken, isPersonToken } from '../people/person-token.ts'
import type { NamedPerson } from '../people/shown-names.ts'
import {
  buildVisibleEventsSql,
  getVisibilityStart,
  type EventVisibility,
  serializeVisibility,
} from '../billing/plans/event-visibility.ts'
import { includeMergedPeople, insertPersonTokens } from './named-people.ts'
import { scanRareTerms, scanSlices, prepareScan } from './index/index-scan.ts'
import { requireAll } from './ranking/match-weights.ts'
import type { Suggestion } from './suggestion-handlers.ts'
import { parseQuery, type NamedCamera } from './query/parse-query.ts'
import * as rows from './index/search-rows.ts'
import { MatchedTexts } from './ranking/matched-texts.ts'
import { TextScorer } from './ranking/text-scoring.ts'

/** Maximum number of suggestions per home. At most `MAX_PEOPLE_SUGGESTIONS` of these name a person. */
const MAX_SUGGESTIONS = 6
const MAX_PEOPLE_SUGGESTIONS = 2
/** Maximum number of newest events from which suggestions are derived, and number of events that each step reads. */
const MAX_EVENTS_READ = 10_000
const EVENTS_PER_STEP = 5000
/** Scan budget, in index entries, for counting the matches of one suggestion. */
const SCAN_BUDGET_ENTRIES = 5000
const GENERIC_TITLES: ReadonlySet<string> = new Set([
  'motion',
  'sound',
  'person',
  'pet',
  'animal',
  'vehicle',
  'package',
  'face',
])

/**
 * Suggests searches that have matches: for people with a name and frequent titles of the newest events in the range,
 * and for a person at night. `found`: number of matches, counted up to `SEARCH_TOTAL_MAX`.
 */
export async function suggestSearches(
  sql: SqlStorage,
  cameras: readonly NamedCamera[],
  { start, end }: { start: number; end: number },
  visibility: EventVisibility,
  namedPeople: readonly NamedPerson[] = [],
): Promise<Suggestion[]> {
  if (visibility.length === 0) return []
  const scope = {
    ...rows.toScope(sql, visibility),
    tags: [],
    start: Math.max(start, getVisibilityStart(visibility)),
    end,
  }
  const { people, titles } = await findFrequentPeopleAndTitles(sql, visibility, scope, namedPeople)
  const specificTitles = titles.filter((title) => !GENERIC_TITLES.has(title.toLowerCase()) && !hasPersonToken(title))
  const suggestions: Suggestion[] = []
  for (const query of [...people.slice(0, MAX_PEOPLE_SUGGESTIONS), 'Someone at night', ...specificTitles]) {
    if (suggestions.length === MAX_SUGGESTIONS) break
    const found = await countMatches(sql, query, { cameras, people: namedPeople }, scope)
    if (found > 0) suggestions.push({ query, found })
    await yieldToEventLoop()
  }
  return suggestions
}

async function countMatches(
  sql: SqlStorage,
  query: string,
  { cameras, people }: { cameras: readonly NamedCamera[]; people: readonly NamedPerson[] },
  scope: rows.SearchScope,
) {
  const parsed = parseQuery(insertPersonTokens(query, people), cameras, isPersonToken)
  const concepts = parsed.concepts.map((concept) => includeMergedPeople(concept, people))
  if (concepts.length === 0) return 0
  const prepared = prepareScan(sql, concepts, scope)
  const requirement = requireAll(concepts)
  const texts = new MatchedTexts(sql, scope, prepared.range, new TextScorer(concepts))
  const rare = scanRareTerms(prepared, texts, requirement)
  const hits = new Map(rare.map((hit) => [hit.doc, hit]))
  await scanSlices(sql, prepared, requirement, {
    hits,
    getProgress: () => hits.size / SEARCH_TOTAL_MAX,
    endsEarly: true,
    isLetIn: () => true,
    budget: { left: SCAN_BUDGET_ENTRIES, slices: 0 },
  })
  return Math.min(hits.size, SEARCH_TOTAL_MAX)
}

async function findFrequentPeopleAndTitles(
  sql: SqlStorage,
  visibility: EventVisibility,
  scope: Pick<rows.SearchScope, 'start' | 'end'>,
  namedPeople: readonly NamedPerson[],
) {
  const [people, titles] = [new Map<string, number>(), new Map<string, number>()]
  const suggestedPeople = namedPeople.filter(({ name }) => !isDefaultPersonName(name))
  const add = (to: Map<string, number>, name: string, count: number) => to.set(name, (to.get(name) ?? 0) + count)
  let { from, before } = toDocumentIdRange(sql, scope)
  const first = from
  for (let read = 0; read < MAX_EVENTS_READ; read += EVENTS_PER_STEP) {
    const edge = findNewestRangeStart(sql, { from: first, before }, EVENTS_PER_STEP)
    from = edge?.doc ?? first
    for (const { name, tokens } of suggestedPeople)
      add(people, name, countSightings(sql, visibility, tokens, { from, before }))
    for (const { title, events } of countTitles(sql, visibility, { from, before })) add(titles, title, events)
    if (edge === null) break
    before = edge.doc
    await yieldToEventLoop()
  }
  const sortByCount = (counts: ReadonlyMap<string, number>) =>
    [...counts]
      .filter(([, count]) => count > 0)
      .sort(([a, inA], [b, inB]) => inB - inA || (a < b ? -1 : 1))
      .map(([name]) => name)
  return { people: sortByCount(people), titles: sortByCount(titles).slice(0, 20) }
}

function countTitles(
  sql: SqlStorage,
  visibility: EventVisibility,
  { from, before }: { from: DocumentId; before: DocumentId },
) {
  return sql
    .exec<{ title: string; events: number }>(
      `SELECT title, count(*) AS events FROM events WHERE doc >= CAST(?1 AS INTEGER) AND doc < CAST(?2 AS INTEGER)
         AND gone IS NULL AND title <> '' AND ${buildVisibleEventsSql(visibility, '?3')} GROUP BY title`,
      from,
      before,
      serializeVisibility(visibility),
    )
    .toArray()
}
