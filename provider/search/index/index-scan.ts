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

/** Maximum number of events of a rare concept. A search considers all events of a rare concept, however old. */
const RARE = 300
/** Maximum number of events with rare concepts whose text is read. */
const RARE_READ = 600
/** Number of events in the first slice. Later slices grow as long as a slice needs few index entries. */
const FIRST_SLICE = 2000
/** Index entries that one slice may read: hard limit, and target. */
export const SLICE_MAX = 40_000
const SLICE_ROWS = 15_000
/** Costs, expressed in index entries: starting a slice, and seeking one word in the slice. */
const BEGIN = 1000
const SEEK = 20
/** Scan budget of one search: index entries read in slices. */
export const SCAN_ROWS_MAX = 40_000
/** Matching a phrase in this many events costs as much as reading one index entry. */
const PHRASE_SHARE = 20

/** Scan budget: number of index entries that may still be read, and number of slices read so far. */
export interface Budget {
  left: number
  slices: number
}

/** Query that is prepared for scanning one home's index, with the events that match its rare concepts. */
export interface PreparedScan {
  readonly concepts: readonly Concept[]
  readonly scope: Scope
  readonly range: { readonly from: Doc; readonly before: Doc }
  /** For each concept, the events that contain one of its words; null if the concept is common. */
  readonly rare: readonly (readonly Doc[] | null)[]
  readonly must: readonly string[]
  /** Events that match the rarest required filter (cameras or tags); null if all filters are common. */
  readonly only: readonly Doc[] | null
}

/** Finds rare concepts. Reads at most `RARE` index entries per concept. */
export function prepareScan(sql: SqlStorage, concepts: readonly Concept[], scope: Scope): PreparedScan {
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

/** Returns true if the concept at index `place` may match events that its list in `rare` does not contain. */
export const isCommon = ({ concepts, rare }: PreparedScan, place: number): boolean =>
  rare[place] === null || phrasesIn(concepts[place] ?? createConcept({})) > 0

/**
 * Returns matching events that contain a rare concept. Reads the text of at most `limit` events: those with the most
 * rare concepts first, then the newest.
 */
export function scanRareTerms(
  sql: SqlStorage,
  prepared: PreparedScan,
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

const getCommonMask = (prepared: PreparedScan): number =>
  prepared.concepts.reduce((mask, _, place) => (isCommon(prepared, place) ? mask | (2 ** place) : mask), 0)

/** Returns true if an event with common concepts only can meet the requirement, so that the slices must be scanned. */
export function isInSlices(prepared: PreparedScan, requirement: MatchRequirement): boolean {
  const there = getCommonMask(prepared)
  return prepared.only === null && there !== 0 && isWanted(there, requirement)
}

/**
 * Builds the index queries of a slice. Includes rare concepts, because an event with common concepts may also contain
 * rare ones.
 */
function buildSliceQueries(
  { must }: PreparedScan,
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
 * Adds events with only common concepts to `hits`, newest slice first, and yields between slices, until `enough`
 * returns true or the budget is used up. FTS searches all newer events for a phrase: this uses budget, and phrases that
 * would exceed it are left out. Returns the time (ms UTC) before which events were not searched, or null.
 */
export async function scanSlices(
  sql: SqlStorage,
  prepared: PreparedScan,
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

/**
 * Returns the number of events in the next slice. `each`: index entries read per event of the previous slice. Even in
 * the worst case, the next slice reads at most `SLICE_MAX` entries.
 */
function nextSize(size: number, each: number, questions: number): number {
  const wished = Math.min(4 * size, each > 0 ? SLICE_ROWS / each : 4 * size)
  return Math.max(1, Math.floor(Math.min(wished, SLICE_MAX / questions)))
}

interface LookOptions {
  readonly hits: Map<string, slices.SliceRow>
  /**
   * Returns true to stop the scan early. `common`: bit mask of the concepts that events in later slices may contain.
   */
  readonly enough: (common: number) => boolean
  readonly isLetIn: (row: slices.SliceRow) => boolean
  readonly budget: Budget
  /** Maximum number of events that a slice returns. */
  readonly limit?: number
}
