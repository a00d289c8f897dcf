import type { SqlStorage } from '@cloudflare/workers-types'
import { SEARCH_LIMIT } from '../../contract/wire/constants.ts'
import { SEARCH_TOTAL_MAX } from '../../contract/search/search-calls.ts'
import { toDocumentIdRange } from '../events/document-id-rows.ts'
import { type Concept, countPhrases } from './query/concept.ts'
import {
  type ScanBudget,
  needsSliceScan,
  scanRareTerms,
  scanSlices,
  prepareScan,
  type PreparedScan,
} from './index/index-scan.ts'
import {
  requireAny,
  compareHits,
  listRequirements,
  hasAppearanceNearThing,
  meetsRequirement,
  type RankedHit,
  type MatchRequirement,
  computeWeight,
  computeWeights,
} from './ranking/match-weights.ts'
import type { DocumentOffset } from './index/document-offsets.ts'
import * as rows from './index/search-rows.ts'
import { listNewestVisibleTexts, type SliceRow } from './index/slice-rows.ts'
import { MatchedTexts } from './ranking/matched-texts.ts'
import { sampleNewestTexts } from './ranking/newest-texts.ts'
import { type TextMatch, TextScorer } from './ranking/text-scoring.ts'

/** Number of near misses shown when there is no match. */
export const NEAR_MISSES_MAX = 8
/**
 * Maximum number of matches with equal weight and vote sign that the search reranks by their text. The search discards
 * the oldest matches beyond this number.
 */
const RERANKED_HITS_MAX = 200
/**
 * Limits of the scan for near misses. `limit`: events per slice. `rare`: events with rare concepts whose text is read.
 * `rows`: index entries.
 */
const NEAR_MISS_LIMITS = { limit: 200, rare: 100, rows: 5000 }
const RARITY_SAMPLE_EVENTS = 200
/** Number of newest events that the search considers if the query contains only exclusions or times. */
const EXCLUSION_ONLY_EVENTS = 2000

export interface MatchQuery {
  readonly concepts: readonly Concept[]
  readonly not: readonly Concept[]
  readonly scope: rows.SearchScope
  /** Returns true if `time` (ms UTC) is within the hours of day in the query, or if the query has none. */
  readonly isInQueryHours: (time: number) => boolean
  /** Normalized words of the query, the key under which its feedback is stored. */
  readonly words: string
}

export interface MatchFinderResult {
  readonly found: RankedHit[]
  /** Number of matches, counted up to `SEARCH_TOTAL_MAX`. */
  readonly total: number
  /** Near misses, which match only partly; empty if there are matches. */
  readonly closest: RankedHit[]
  /**
   * Time (ms UTC) before which the scan budget or `EXCLUSION_ONLY_EVENTS` made the search incomplete; null if neither
   * did.
   */
  readonly since: number | null
  /** Query terms that occur in no event. */
  readonly nowhere: readonly Concept[]
}

/**
 * Limits of a scan. The scan stops when `counted` hits meet `whole`, and `compared` of them contain every concept that
 * later slices can contain.
 */
interface ScanLimits {
  readonly whole?: MatchRequirement
  readonly compared: number
  readonly counted: number
  readonly budget: ScanBudget
  readonly limit?: number
  readonly rare?: number
  readonly endsEarly?: boolean
}

interface ScanResult {
  readonly hits: Map<DocumentOffset, SliceRow>
  readonly since: number | null
}

/**
 * Finds the best matches of a query. Searches events of any age for rare concepts. For common concepts, searches from
 * the newest event back, within the scan budget.
 */
export class MatchFinder {
  readonly #sql: SqlStorage
  readonly #query: MatchQuery
  readonly #budget: ScanBudget
  readonly #prepared: PreparedScan
  readonly #scorer: TextScorer
  readonly #texts: MatchedTexts
  readonly #weights: readonly number[]
  readonly #votes: ReadonlyMap<DocumentOffset, number>
  readonly #excludedMask: number

  constructor(sql: SqlStorage, query: MatchQuery, budget: ScanBudget) {
    const { concepts, not, scope, words } = query
    const all = [...concepts, ...not]
    this.#sql = sql
    this.#query = query
    this.#budget = budget
    this.#prepared = prepareScan(sql, all, scope)
    this.#scorer = new TextScorer(all)
    this.#texts = new MatchedTexts(sql, scope, this.#prepared.range, this.#scorer)
    this.#weights = computeWeights(all, this.#sampleRarity())
    this.#votes = rows.sumVotes(sql, words, this.#prepared.range)
    this.#excludedMask = not.reduce((mask, _, n) => mask | (2 ** (concepts.length + n)), 0)
  }

  /** Runs the query. `isNear`: true to search for near misses if nothing matches. */
  async find({
    isNear,
    limit = SEARCH_LIMIT,
  }: {
    isNear: boolean
    limit?: number | undefined
  }): Promise<MatchFinderResult> {
    const { concepts } = this.#query
    const nowhere = concepts.filter((concept, n) => this.#isUnmatched(concept, this.#prepared.rareConceptDocs[n]))
    const { hits, since } = await this.#findHits(nowhere)
    const found = this.#rankHits(hits, limit)
    const total = Math.min(hits.size, SEARCH_TOTAL_MAX)
    if (found.length > 0 || !isNear || concepts.length === 0) return { found, total, closest: [], since, nowhere }
    const budget = { left: Math.min(this.#budget.left, NEAR_MISS_LIMITS.rows), slices: 0 }
    const near = await this.#scanHits(requireAny(concepts), {
      compared: 1,
      counted: NEAR_MISSES_MAX,
      limit: NEAR_MISS_LIMITS.limit,
      rare: NEAR_MISS_LIMITS.rare,
      budget,
    })
    this.#budget.slices += budget.slices
    return { found, total: 0, closest: this.#rankHits(near.hits, NEAR_MISSES_MAX), since, nowhere }
  }

  async #findHits(nowhere: readonly Concept[]): Promise<ScanResult> {
    if (nowhere.length > 0) return { hits: new Map(), since: null }
    if (this.#query.concepts.length === 0) return this.#findNewestHits()
    const requirements = listRequirements(this.#query.concepts)
    const [fullRequirement, loosest] = [requirements[0], requirements.at(-1)]
    if (!fullRequirement || !loosest) return { hits: new Map(), since: null }
    // An appearance removes hits after the scan, so these queries use all hits of the last slice.
    const endsEarly = !this.#query.concepts.some(({ look }) => look)
    const limits = { compared: RERANKED_HITS_MAX, counted: SEARCH_TOTAL_MAX, budget: this.#budget, endsEarly }
    if (fullRequirement !== loosest && !needsSliceScan(this.#prepared, fullRequirement)) {
      const rare = await this.#scanHits(fullRequirement, limits)
      const hits = this.#filterByAppearance(rare.hits)
      if (hits.size > 0) return { hits, since: null }
    }
    const { hits, since } = await this.#scanHits(loosest, { ...limits, whole: fullRequirement })
    for (const requirement of requirements) {
      const matchingHits = this.#filterByAppearance(
        new Map([...hits].filter(([, { mask }]) => meetsRequirement(mask, requirement))),
      )
      if (matchingHits.size > 0) return { hits: matchingHits, since }
    }
    return { hits: new Map(), since }
  }

  #filterByAppearance(hits: Map<DocumentOffset, SliceRow>): Map<DocumentOffset, SliceRow> {
    if (!this.#query.concepts.some(({ look }) => look)) return hits
    const texts = this.#texts
      .list([...hits.keys()])
      .filter(({ match }) => hasAppearanceNearThing(match.sentences, this.#query.concepts))
    return new Map(
      texts.flatMap(({ row: { doc } }) => {
        const hit = hits.get(doc)
        return hit ? [[doc, hit] as const] : []
      }),
    )
  }

  /**
   * Returns true if no clip can match the query, because no event in the range contains the concept. A concept with a
   * phrase is searched in the whole home instead. Always returns false for a time or location. `rare`: entry of the
   * concept in `rareConceptDocs`; null if the concept is common.
   */
  #isUnmatched(concept: Concept, rare: readonly DocumentOffset[] | null | undefined): boolean {
    if (concept.setting || rare?.length !== 0) return false
    return countPhrases(concept) === 0 || !rows.hasMatchingEvent(this.#sql, concept)
  }

  readonly #passesFilters = ({ mask, event_ts }: SliceRow) =>
    (mask & this.#excludedMask) === 0 && this.#query.isInQueryHours(event_ts)

  async #scanHits(
    requirement: MatchRequirement,
    { compared, counted, whole = requirement, ...within }: ScanLimits,
  ): Promise<ScanResult> {
    const prepared = this.#prepared
    const passesFilters = this.#passesFilters
    const rare = scanRareTerms(prepared, this.#texts, requirement, within.rare)
    const hits = new Map(rare.filter(passesFilters).map((hit) => [hit.doc, hit]))
    for (const { row, match } of this.#texts.list([...this.#votes.keys()])) {
      const hit = { doc: row.doc, event_ts: row.event_ts, mask: match.mask }
      if (meetsRequirement(hit.mask, requirement) && passesFilters(hit)) hits.set(row.doc, hit)
    }
    const getProgress = (all: number) => {
      const fullHits = [...hits.values()].filter(({ mask }) => meetsRequirement(mask, whole))
      const comparedHits = fullHits.filter(({ mask }) => (mask & all) === all)
      return Math.min(1, fullHits.length / counted, comparedHits.length / compared)
    }
    const options = { hits, getProgress, isLetIn: passesFilters, ...within }
    return { hits, since: await scanSlices(this.#sql, prepared, requirement, options) }
  }

  /** Returns the newest events that pass the filters, for a query that contains only exclusions or times. */
  #findNewestHits(): ScanResult {
    const sql = this.#sql
    const scorer = this.#scorer
    const query = this.#query
    const prepared = this.#prepared
    const texts = listNewestVisibleTexts(sql, prepared.range, EXCLUSION_ONLY_EVENTS, query.scope)
    const hits = texts.map((row) => ({ ...row, mask: scorer.matchRow(row).mask })).filter(this.#passesFilters)
    const oldest = texts.length < EXCLUSION_ONLY_EVENTS ? null : (texts.at(-1)?.event_ts ?? null)
    return { hits: new Map(hits.map((hit) => [hit.doc, hit])), since: oldest }
  }

  /**
   * Returns the rarity of each concept in a sample of the newest events: 0 if all events contain the concept, 1 if none
   * does. Also adds the sample to the phrase statistics of the text scorer.
   */
  #sampleRarity(): number[] {
    const range = toDocumentIdRange(this.#sql, this.#query.scope)
    const sample = sampleNewestTexts(this.#sql, range, RARITY_SAMPLE_EVENTS)
    const matchCounts = this.#scorer.addSample(sample)
    return matchCounts.map((matchCount) => 1 - matchCount / Math.max(1, sample.texts.length))
  }

  /**
   * Returns the best hits in ranking order. Of hits with equal weight and vote sign, reads and returns only the newest
   * `RERANKED_HITS_MAX`.
   */
  #rankHits(hits: ReadonlyMap<DocumentOffset, SliceRow>, limit: number): RankedHit[] {
    const compared = listComparedHits(hits, this.#weights, this.#votes, limit)
    const docs = compared.map(({ doc }) => doc)
    const texts = new Map(this.#texts.list(docs).map((text) => [text.row.doc, text]))
    const rankedHits = compared.flatMap(({ doc, event_ts, mask, weight, vote }): RankedHit[] => {
      const text = texts.get(doc)
      if (!text) return []
      const [rank, isOne] = [this.#scorer.computeScore(text.match, mask), isInOneSentence(text.match, mask)]
      return [{ event_id: text.row.event_id, event_ts, mask, weight, vote, rank, isOne }]
    })
    return rankedHits.sort(compareHits).slice(0, limit)
  }
}

/** Hit before its text is compared. */
type WeightedHit = SliceRow & Pick<RankedHit, 'rank' | 'isOne' | 'weight' | 'vote'>

/** Returns the hits that can be among the best `limit`: of those with equal weight and vote sign, the newest. */
function listComparedHits(
  hits: ReadonlyMap<DocumentOffset, SliceRow>,
  weights: readonly number[],
  votes: ReadonlyMap<DocumentOffset, number>,
  limit: number,
): WeightedHit[] {
  const weightByMask = new Map<number, number>()
  const getWeight = (mask: number) => {
    const weight = weightByMask.get(mask) ?? computeWeight(mask, weights)
    weightByMask.set(mask, weight)
    return weight
  }
  const weightedHits = Array.from(hits.values(), ({ doc, event_ts, mask }): WeightedHit => {
    const vote = votes.size > 0 ? (votes.get(doc) ?? 0) : 0
    return { doc, event_ts, mask, rank: 0, isOne: true, weight: getWeight(mask), vote }
  }).sort(compareHits)
  const compared: WeightedHit[] = []
  let [first, equalCount]: [WeightedHit | undefined, number] = [undefined, 0]
  for (const hit of weightedHits) {
    const isEqual = first?.weight === hit.weight && Math.sign(first.vote) === Math.sign(hit.vote)
    if (!isEqual) {
      if (compared.length >= limit) break
      first = hit
      equalCount = 0
    }
    if (equalCount++ < RERANKED_HITS_MAX) compared.push(hit)
  }
  return compared
}

function isInOneSentence({ sentences }: TextMatch, mask: number): boolean {
  const sentencesMask = sentences.reduce((all, sentence) => all | sentence, 0) & mask
  return sentencesMask === 0 || sentences.some((sentence) => (sentence & sentencesMask) === sentencesMask)
}
