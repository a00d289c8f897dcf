import type { SqlStorage } from '@cloudflare/workers-types'
import { yieldToEventLoop } from '../../platform/yield-to-event-loop.ts'
import { newestRangeStart, countFrom, toIndexRange, rareDocs, type Doc } from '../../events/document-id-rows.ts'
import { listVisibleCameras } from '../../billing/plans/event-visibility.ts'
import { bits, isWanted, type MatchRequirement } from '../ranking/match-weights.ts'
import {
  toColumnQuery,
  type Concept,
  createConcept,
  withoutPhrases,
  toMatchQuery,
  phrasesIn,
} from '../query/concept.ts'
import type { Scope } from './search-rows.ts'
import * as slices from './slice-rows.ts'
import type { TextReader } from '../ranking/text-scoring.ts'

/** What a concept may have at most to be rare: all its events are looked at, however old they are. */
const RARE = 300
/** Of events with rare concepts so many are read: more than may have all of what is asked, where only some of it is asked for the newest. */
const RARE_READ = 600
/** Events of the first slice; the next is larger when few entries of the index were read. */
const FIRST_SLICE = 2000
/** Entries of the index that a slice reads at most, and should read. */
export const SLICE_MAX = 40_000
const SLICE_ROWS = 15_000
/** Beginning a slice, and seeking a word in it, cost as much as reading so many entries. */
const BEGIN = 1000
const SEEK = 20
/** Entries of the index that one search reads in slices. */
export const ROWS_MAX = 40_000
/** Looking for a phrase of several words in so many events costs as much as reading an entry. */
const PHRASE_SHARE = 20

/** How many entries may still be read, and the number of slices that were. */
export interface Budget {
  left: number
  slices: number
}

/** A question in a home: what is where, as far as it is rare. */
export interface Prepared {
  readonly concepts: readonly Concept[]
  readonly scope: Scope
  readonly range: { readonly from: Doc; readonly before: Doc }
  /** Of each concept the events with one of its words, null: they are many. */
  readonly rare: readonly (readonly Doc[] | null)[]
  readonly must: readonly string[]
  /** The fewest events of something that must be; null: there are many of each. */
  readonly only: readonly Doc[] | null
}

/** Finds out what is rare; reads at most `RARE` entries of the index for each concept. */
export function prepare(sql: SqlStorage, concepts: readonly Concept[], scope: Scope): Prepared {
  const range = toIndexRange(sql, scope)
  const findRareDocs = (match: string) => (match === '' ? [] : rareDocs(sql, match, range, RARE))
  const must = [
    ...(scope.narrow ? [toColumnQuery('device_id', listVisibleCameras(scope.view))] : []),
    ...(scope.tags.length > 0 ? [toColumnQuery('tags', scope.tags)] : []),
  ]
  const few = must.map(findRareDocs).filter((docs) => docs !== null)
  return {
    ...{ concepts, scope, range, must },
    rare: concepts.map((concept) => findRareDocs(toMatchQuery(withoutPhrases(concept)))),
    only: few.toSorted((a, b) => a.length - b.length)[0] ?? null,
  }
}

/** Whether the concept is in more events than those that are known one by one. */
export const isCommon = ({ concepts, rare }: Prepared, place: number): boolean =>
  rare[place] === null || phrasesIn(concepts[place] ?? createConcept({})) > 0

/** Events that are what is wanted and have something rare: a few that are read and judged one by one, those with most of it and then the newest. */
export function scanRareTerms(
  sql: SqlStorage,
  prepared: Prepared,
  reader: TextReader,
  requirement: MatchRequirement,
  limit = RARE_READ,
): slices.SliceRow[] {
  const masks = new Map<Doc, number>()
  for (const [place, docs] of (prepared.only === null ? prepared.rare : [prepared.only]).entries())
    for (const doc of docs ?? []) masks.set(doc, (masks.get(doc) ?? 0) | (2 ** place))
  const common = getCommonMask(prepared)
  const docs = [...masks]
    .filter(([, mask]) => prepared.only !== null || isWanted(mask | common, requirement))
    .map(([doc, mask]) => ({ doc, times: bits(mask) }))
    .sort((a, b) => b.times - a.times || b.doc.length - a.doc.length || (a.doc < b.doc ? 1 : -1))
  const read = docs.slice(0, limit).map(({ doc }) => doc)
  return slices
    .textsAt(sql, read, prepared.scope)
    .map((row) => ({ event_id: row.event_id, event_ts: row.event_ts, mask: reader.read(row).mask }))
    .filter(({ mask }) => mask > 0 && isWanted(mask, requirement))
}

/** Bits of the concepts that are in more events than are known one by one. */
const getCommonMask = (prepared: Prepared): number =>
  prepared.concepts.reduce((mask, _, place) => (isCommon(prepared, place) ? mask | (2 ** place) : mask), 0)

/** Whether what is common makes an event wanted, so that slices have to be looked through. */
export function isInSlices(prepared: Prepared, requirement: MatchRequirement): boolean {
  const there = getCommonMask(prepared)
  return prepared.only === null && there !== 0 && isWanted(there, requirement)
}

/** The concepts as a slice is asked for them. What is rare is asked too: an event may have it beside what is common. */
function buildSliceQueries(
  { must }: Prepared,
  concepts: readonly Concept[],
  requirement: MatchRequirement,
): slices.Question[] {
  return concepts
    .map((concept, place) => ({
      ...{
        match: toMatchQuery(concept),
        bit: 2 ** place,
        asked: (requirement.asked & (2 ** place)) !== 0,
        must: false,
      },
    }))
    .concat(must.map((match) => ({ match, bit: 0, asked: false, must: true })))
    .filter(({ match }) => match !== '')
}

/**
 * Adds to `hits` what has only common concepts: the newest events first, slice by slice, until there is `enough` or the budget is
 * used up. Between two slices others are let in. A phrase that does not occur in a slice is looked for in all that is newer:
 * that counts too, and where more is newer than may be read, phrases are left out. Answers before when something was left out because
 * the budget was used up, ms UTC; null: nothing was.
 */
export async function scanSlices(
  sql: SqlStorage,
  prepared: Prepared,
  requirement: MatchRequirement,
  { hits, enough, isLetIn, budget, limit = SLICE_MAX }: LookOptions,
): Promise<number | null> {
  const { scope, range } = prepared
  if (!isInSlices(prepared, requirement)) return null
  const there = getCommonMask(prepared)
  const all = prepared.concepts.reduce((sum, concept) => sum + phrasesIn(concept), 0)
  let newer = all > 0 ? countFrom(sql, range.before, budget.left) : 0
  const isBlind = newer > budget.left
  const [concepts, phrases] = isBlind ? [prepared.concepts.map(withoutPhrases), 0] : [prepared.concepts, all]
  const untold = isBlind ? scope.end + 1 : null
  const questions = buildSliceQueries(prepared, concepts, requirement)
  if (!questions.some(({ must }) => !must)) return untold
  const begin =
    concepts.reduce(
      (sum, { asked: queryTerms, like, tags }) => sum + queryTerms.length + like.length + tags.length,
      0,
    ) *
      SEEK +
    BEGIN
  let { before } = range
  for (let size = FIRST_SLICE; ;) {
    const edge = newestRangeStart(sql, { from: range.from, before }, size)
    const slice = { from: edge?.doc ?? range.from, before }
    const { rows, read } = slices.readSlice(sql, questions, slice, { scope, wanted: requirement, limit })
    for (const row of rows) {
      const hit = { ...row, mask: row.mask | (hits.get(row.event_id)?.mask ?? 0) }
      if (isLetIn(hit)) hits.set(row.event_id, hit)
    }
    budget.slices += 1
    newer += size
    budget.left -= read + begin + Math.ceil((newer * phrases) / PHRASE_SHARE)
    if (edge === null || enough(there)) return untold
    if (budget.left <= 0) return untold ?? edge.event_ts
    before = edge.doc
    size = nextSize(size, read / size + phrases / PHRASE_SHARE, questions.length)
    await yieldToEventLoop()
  }
}

/** Events of the next slice when those of the last one cost `each`: never more than `SLICE_MAX` entries, whatever they have. */
function nextSize(size: number, each: number, questions: number): number {
  const wished = Math.min(4 * size, each > 0 ? SLICE_ROWS / each : 4 * size)
  return Math.max(1, Math.floor(Math.min(wished, SLICE_MAX / questions)))
}

interface LookOptions {
  readonly hits: Map<string, slices.SliceRow>
  /** Whether what was found is enough; `common`: the concepts that more may have. */
  readonly enough: (common: number) => boolean
  /** What is not let in is no hit. */
  readonly isLetIn: (row: slices.SliceRow) => boolean
  readonly budget: Budget
  /** Events that a slice answers. */
  readonly limit?: number
}
