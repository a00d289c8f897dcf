import type { SqlStorage } from '@cloudflare/workers-types'
import { yieldToEventLoop } from '../../platform/yield-to-event-loop.ts'
import { listVisibleCameras } from '../../billing/plans/event-visibility.ts'
import { countBits, meetsRequirement, type MatchRequirement } from '../ranking/match-weights.ts'
import {
  toColumnQuery,
  type Concept,
  createConcept,
  removePhrases,
  toMatchQuery,
  countPhrases,
} from '../query/concept.ts'
import {
  countEventsFrom,
  type DocumentOffset,
  findNewestOffsetsStart,
  type OffsetRange,
  toOffsetRange,
} from './document-offsets.ts'
import { limitToVocabulary, removeAbsentPhrases } from './index-vocabulary.ts'
import { MatchingDocuments } from './matching-documents.ts'
import type { SearchScope } from './search-rows.ts'
import { readSlice, type SliceQuery } from './slice-matches.ts'
import type { SliceRow } from './slice-rows.ts'
import type { MatchedTexts } from '../ranking/matched-texts.ts'

/**
 * A concept is rare if at most this number of events contain it. A search also considers old events with a rare
 * concept.
 */
const RARE_CONCEPT_EVENTS_MAX = 300
/** Maximum number of events with rare concepts whose text one search reads. */
const RARE_EVENT_TEXTS_MAX = 600
/** Number of events in the first slice. Later slices are larger while each slice reads few index entries. */
const FIRST_SLICE_EVENTS = 2000
/** Maximum and target number of index entries that one slice reads. */
export const SLICE_ENTRIES_MAX = 40_000
const SLICE_ENTRIES_TARGET = 15_000
/** Scan costs, in index entries: for starting a slice, and for seeking one word in a slice. */
const SLICE_START_COST = 1000
const WORD_SEEK_COST = 20
/** Number of index entries after which a scan yields to the event loop. Reading them takes a few milliseconds. */
const YIELD_ENTRIES = 10_000
/** Scan budget of one search: maximum number of index entries. */
export const SCAN_ENTRIES_MAX = 40_000
/**
 * A slice that is expected to be the last one has this many times the events that the hit rate of the previous slices
 * requires, and at least `LAST_SLICE_EVENTS_MIN`. Limits how often a scan may be wrong about the last slice.
 */
const LAST_SLICE_MARGIN = 1.25
const LAST_SLICE_EVENTS_MIN = 500
const LAST_SLICES_MAX = 2
/** Matching a phrase in this number of events costs as much as reading one index entry. */
const PHRASE_MATCHES_PER_ENTRY = 20

/**
 * Scan budget: `left` is the number of index entries that the scan may still read. `slices` counts the slices read so
 * far.
 */
export interface ScanBudget {
  left: number
  slices: number
}

/** Query prepared for scanning the index of one home, with the events that match its rare concepts. */
export interface PreparedScan {
  readonly concepts: readonly Concept[]
  readonly scope: SearchScope
  readonly range: OffsetRange
  /** For each concept, the events that match it without its phrases of several words; null if the concept is common. */
  readonly rareConceptDocs: readonly (readonly DocumentOffset[] | null)[]
  /** For each concept, the events that match it without its phrases. */
  readonly conceptDocuments: readonly MatchingDocuments[]
  /** The concepts without words that no event contains. */
  readonly indexedConcepts: readonly Concept[]
  /** For each required filter, the events that match it. */
  readonly filterDocuments: readonly MatchingDocuments[]
  /**
   * Events that match the rarest required filter (cameras or tags); null if every filter is common or there is no
   * filter.
   */
  readonly filterDocs: readonly DocumentOffset[] | null
}

/** Finds the rare concepts and filters of a query. Reads one chunk of index entries for each. */
export function prepareScan(sql: SqlStorage, concepts: readonly Concept[], scope: SearchScope): PreparedScan {
  const range = toOffsetRange(sql, scope)
  const toDocuments = (match: string) => new MatchingDocuments(sql, match, range)
  const findRareDocs = (documents: MatchingDocuments) => documents.listIfRare(RARE_CONCEPT_EVENTS_MAX)
  const filterDocuments = [
    ...(scope.narrow ? [toColumnQuery('device_id', listVisibleCameras(scope.view))] : []),
    ...(scope.tags.length > 0 ? [toColumnQuery('tags', scope.tags)] : []),
  ].map(toDocuments)
  const indexedConcepts = limitToVocabulary(sql, concepts)
  const conceptDocuments = indexedConcepts.map((concept) => toDocuments(toMatchQuery(removePhrases(concept))))
  const rareFilters = filterDocuments.map(findRareDocs).filter((docs) => docs !== null)
  return {
    concepts,
    scope,
    range,
    conceptDocuments,
    indexedConcepts,
    filterDocuments,
    rareConceptDocs: conceptDocuments.map(findRareDocs),
    filterDocs: rareFilters.toSorted((a, b) => a.length - b.length)[0] ?? null,
  }
}

/**
 * Returns true if `rareConceptDocs` may lack events of the concept at `index`: the concept is common or has phrases.
 */
export const isCommonConcept = ({ concepts, rareConceptDocs }: PreparedScan, index: number): boolean =>
  rareConceptDocs[index] === null || countPhrases(concepts[index] ?? createConcept({})) > 0

/**
 * Returns the events that meet the requirement, among the events of the rarest filter or, if no filter is rare, among
 * the events with a rare concept. Reads at most `limit` texts; prefers events with more rare concepts, then newer
 * events.
 */
export function scanRareTerms(
  prepared: PreparedScan,
  texts: MatchedTexts,
  requirement: MatchRequirement,
  limit = RARE_EVENT_TEXTS_MAX,
): SliceRow[] {
  const masks = new Map<DocumentOffset, number>()
  for (const [conceptIndex, docs] of (prepared.filterDocs === null
    ? prepared.rareConceptDocs
    : [prepared.filterDocs]
  ).entries())
    for (const doc of docs ?? []) masks.set(doc, (masks.get(doc) ?? 0) | (2 ** conceptIndex))
  const common = getCommonMask(prepared)
  const docs = [...masks]
    .filter(([, mask]) => prepared.filterDocs !== null || meetsRequirement(mask | common, requirement))
    .map(([doc, mask]) => ({ doc, times: countBits(mask) }))
    .sort((a, b) => b.times - a.times || b.doc - a.doc)
  const read = docs.slice(0, limit).map(({ doc }) => doc)
  return texts
    .list(read)
    .map(({ row, match }) => ({ doc: row.doc, event_ts: row.event_ts, mask: match.mask }))
    .filter(({ mask }) => mask > 0 && meetsRequirement(mask, requirement))
}

const getCommonMask = (prepared: PreparedScan): number =>
  prepared.concepts.reduce((mask, _, place) => (isCommonConcept(prepared, place) ? mask | (2 ** place) : mask), 0)

/**
 * Returns true if no filter is rare, and an event with only common concepts can meet the requirement. Only the slice
 * scan finds such events.
 */
export function needsSliceScan(prepared: PreparedScan, requirement: MatchRequirement): boolean {
  const commonMask = getCommonMask(prepared)
  return prepared.filterDocs === null && commonMask !== 0 && meetsRequirement(commonMask, requirement)
}

/**
 * Builds the index queries of a slice. They include rare concepts, because an event with common concepts may also
 * contain rare ones.
 */
function buildSliceQueries(
  sql: SqlStorage,
  { conceptDocuments, indexedConcepts, filterDocuments }: PreparedScan,
  concepts: readonly Concept[],
  skipsPhrases: boolean,
): SliceQuery[] {
  const phraseConcepts = skipsPhrases ? [] : removeAbsentPhrases(sql, indexedConcepts)
  const conceptQueries = concepts.flatMap((concept, conceptIndex): SliceQuery[] => {
    const documents = conceptDocuments[conceptIndex]
    if (!documents || toMatchQuery(concept) === '') return []
    const phraseConcept = phraseConcepts[conceptIndex]
    const hasPhrases = phraseConcept && countPhrases(phraseConcept) > 0
    return [{ documents, phraseMatch: hasPhrases ? toMatchQuery(phraseConcept) : null, bit: 2 ** conceptIndex }]
  })
  return [...conceptQueries, ...filterDocuments.map((documents) => ({ documents, phraseMatch: null, bit: 0 }))]
}

/**
 * Adds matching events to `hits`, newest slice first, until `getProgress` returns 1 or the budget is used up. Skips the
 * scan if `needsSliceScan` returns false. Returns the time (ms UTC) before which the budget made the search incomplete;
 * null if the budget was sufficient.
 */
export async function scanSlices(
  sql: SqlStorage,
  prepared: PreparedScan,
  requirement: MatchRequirement,
  { hits, getProgress, isLetIn, budget, limit = SLICE_ENTRIES_MAX, endsEarly = false }: SliceScanOptions,
): Promise<number | null> {
  const { scope, range } = prepared
  if (!needsSliceScan(prepared, requirement)) return null
  const commonMask = getCommonMask(prepared)
  const phraseCount = prepared.concepts.reduce((sum, concept) => sum + countPhrases(concept), 0)
  let newerEvents = phraseCount > 0 ? countEventsFrom(sql, range, budget.left) : 0
  const skipsPhrases = newerEvents > budget.left
  const [concepts, phrases] = skipsPhrases
    ? [prepared.concepts.map(removePhrases), 0]
    : [prepared.concepts, phraseCount]
  const unsearchedBefore = skipsPhrases ? scope.end + 1 : null
  const queries = buildSliceQueries(sql, prepared, concepts, skipsPhrases)
  if (!queries.some(({ bit }) => bit > 0)) return unsearchedBefore
  const startCost =
    concepts.reduce(
      (sum, { asked: queryTerms, like, tags }) => sum + queryTerms.length + like.length + tags.length,
      0,
    ) *
      WORD_SEEK_COST +
    SLICE_START_COST
  let [{ before }, readSinceYield] = [range, 0]
  const lastSlice = endsEarly ? new LastSlicePrediction(getProgress(commonMask)) : null
  for (let size = FIRST_SLICE_EVENTS; ;) {
    const edge = findNewestOffsetsStart(sql, { ...range, before }, size)
    const slice = { ...range, from: edge?.doc ?? range.from, before }
    const { rows, read } = readSlice(sql, queries, { slice, size }, { scope, wanted: requirement, limit })
    for (const row of rows) {
      const hit = { ...row, mask: row.mask | (hits.get(row.doc)?.mask ?? 0) }
      if (isLetIn(hit)) hits.set(row.doc, hit)
    }
    budget.slices += 1
    newerEvents += size
    budget.left -= read + startCost + Math.ceil((newerEvents * phrases) / PHRASE_MATCHES_PER_ENTRY)
    const progress = getProgress(commonMask)
    if (edge === null || progress >= 1) return unsearchedBefore
    if (budget.left <= 0) return unsearchedBefore ?? edge.event_ts
    before = edge.doc
    const nextSize = computeNextSliceSize(size, read / size + phrases / PHRASE_MATCHES_PER_ENTRY, queries.length)
    size = lastSlice?.limitSize(nextSize, size, progress) ?? nextSize
    readSinceYield += read
    if (readSinceYield < YIELD_ENTRIES) continue
    readSinceYield = 0
    await yieldToEventLoop()
  }
}

/**
 * Returns the number of events in the next slice, so that this slice reads at most `SLICE_ENTRIES_MAX` index entries.
 * `entriesPerEvent`: index entries per event in the previous slice, including the cost of phrases.
 */
function computeNextSliceSize(size: number, entriesPerEvent: number, queryCount: number): number {
  const targetSize = Math.min(4 * size, entriesPerEvent > 0 ? SLICE_ENTRIES_TARGET / entriesPerEvent : 4 * size)
  return Math.max(1, Math.floor(Math.min(targetSize, SLICE_ENTRIES_MAX / queryCount)))
}

/** Predicts from the hit rate how many events the last slice of a scan needs. */
class LastSlicePrediction {
  readonly #progressAtStart: number
  #scannedEvents = 0
  #predictions = 0

  constructor(progressAtStart: number) {
    this.#progressAtStart = progressAtStart
  }

  /** Returns `nextSize`, or fewer events if they are expected to suffice. `size`: events in the previous slice. */
  limitSize(nextSize: number, size: number, progress: number): number {
    this.#scannedEvents += size
    const gained = progress - this.#progressAtStart
    if (gained <= 0 || this.#predictions >= LAST_SLICES_MAX) return nextSize
    const neededEvents = ((1 - progress) / gained) * this.#scannedEvents * LAST_SLICE_MARGIN
    const lastSize = Math.max(LAST_SLICE_EVENTS_MIN, Math.ceil(neededEvents))
    if (lastSize >= nextSize) return nextSize
    this.#predictions += 1
    return lastSize
  }
}

interface SliceScanOptions {
  readonly hits: Map<DocumentOffset, SliceRow>
  /**
   * Returns the share of the required hits that were found; 1 stops the scan. `common`: bit mask of the concepts that
   * events in later slices can contain.
   */
  readonly getProgress: (common: number) => number
  /** True to read a smaller slice if the scan is expected to end in it. */
  readonly endsEarly?: boolean
  readonly isLetIn: (row: SliceRow) => boolean
  readonly budget: ScanBudget
  /** Maximum number of events that one slice returns. */
  readonly limit?: number
}
