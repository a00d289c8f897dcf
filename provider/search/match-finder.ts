import type { SqlStorage } from '@cloudflare/workers-types'
import { SEARCH_LIMIT } from '../../contract/wire/constants.ts'
import { TOTAL_MAX } from '../../contract/search/search-calls.ts'
import type { Doc } from '../events/document-id-rows.ts'
import { type Concept, phrasesIn } from './query/concept.ts'
import {
  type Budget,
  isInSlices,
  scanRareTerms,
  scanSlices,
  prepareScan,
  type PreparedScan,
} from './index/index-scan.ts'
import {
  requireAny,
  compare,
  listRequirements,
  isSaidOfIt,
  isWanted,
  type Placed,
  type MatchRequirement,
  computeWeight,
  computeWeights,
} from './ranking/match-weights.ts'
import * as rows from './index/search-rows.ts'
import { newestShown, newestTexts, type SliceRow, listTextsById } from './index/slice-rows.ts'
import { type TextMatch, TextReader, type TextRow } from './ranking/text-scoring.ts'

/** Number of near misses shown when there is no match. */
export const CLOSEST = 8
/** Maximum number of equally ranked matches that the search reranks by their text, the newest first. */
const COMPARED = 200
/** Limits of the scan for near misses: events per slice, events with rare concepts, and index entries. */
const NEAR = { limit: 200, rare: 100, rows: 5000 }
/** Number of newest events sampled for word frequencies. */
const SAMPLE = 200
/** Number of newest events considered if the query only excludes things. */
const NEWEST = 2000

export interface MatchQuery {
  readonly concepts: readonly Concept[]
  readonly not: readonly Concept[]
  readonly scope: rows.Scope
  /** Returns true if an event that began at `time` (ms UTC) is within the hours that the query names. */
  readonly isThen: (time: number) => boolean
  /** Words of the query, which are the key of its feedback. */
  readonly words: string
}

export interface MatchFinderResult {
  readonly found: Placed[]
  /** Number of matches, counted up to `TOTAL_MAX`. */
  readonly total: number
  /** Near misses; empty if there are matches. */
  readonly closest: Placed[]
  /** Time (ms UTC) before which events were not searched; null if all events were searched. */
  readonly since: number | null
  /** Query terms that occur in no event. */
  readonly nowhere: readonly Concept[]
}

/**
 * Limits of a scan. The scan stops once `counted` hits match `whole` and at least `compared` of those hits contain all
 * common concepts.
 */
interface Within {
  readonly whole?: MatchRequirement
  readonly compared: number
  readonly counted: number
  readonly budget: Budget
  readonly limit?: number
  readonly rare?: number
}

interface ScanResult {
  readonly hits: Map<string, SliceRow>
  readonly since: number | null
}

/**
 * Finds the events that match a query best: all events with rare concepts, and the newest events with only common
 * concepts.
 */
export class MatchFinder {
  private readonly sql: SqlStorage
  private readonly asked: MatchQuery
  private readonly budget: Budget
  private readonly prepared: PreparedScan
  private readonly reader: TextReader
  private readonly weights: readonly number[]
  private readonly votes: ReadonlyMap<string, number>
  private readonly excluded: number

  constructor(sql: SqlStorage, query: MatchQuery, budget: Budget) {
    const { concepts, not, scope, words } = query
    const all = [...concepts, ...not]
    this.sql = sql
    this.asked = query
    this.budget = budget
    this.prepared = prepareScan(sql, all, scope)
    this.reader = new TextReader(all)
    this.weights = computeWeights(all, this.sample())
    this.votes = rows.votesOn(sql, words)
    this.excluded = not.reduce((mask, _, n) => mask | (2 ** (concepts.length + n)), 0)
  }

  /** Runs the query. `isNear`: also searches for near misses if there is no match. */
  async find({ isNear }: { isNear: boolean }): Promise<MatchFinderResult> {
    const { concepts } = this.asked
    const nowhere = concepts.filter((concept, n) => this.isNowhere(concept, this.prepared.rare[n]))
    const { hits, since } = await this.findHits(nowhere)
    const found = this.order(hits, SEARCH_LIMIT)
    const total = Math.min(hits.size, TOTAL_MAX)
    if (found.length > 0 || !isNear || concepts.length === 0) return { found, total, closest: [], since, nowhere }
    const budget = { left: Math.min(this.budget.left, NEAR.rows), slices: 0 }
    const near = await this.scanHits(requireAny(concepts), {
      compared: 1,
      counted: CLOSEST,
      limit: NEAR.limit,
      rare: NEAR.rare,
      budget,
    })
    this.budget.slices += budget.slices
    return { found, total: 0, closest: this.order(near.hits, CLOSEST), since, nowhere }
  }

  private async findHits(nowhere: readonly Concept[]): Promise<ScanResult> {
    if (nowhere.length > 0) return { hits: new Map(), since: null }
    if (this.asked.concepts.length === 0) return this.newest()
    const requirements = listRequirements(this.asked.concepts)
    const [whole, loosest] = [requirements[0], requirements.at(-1)]
    if (!whole || !loosest) return { hits: new Map(), since: null }
    const within = { compared: COMPARED, counted: TOTAL_MAX, budget: this.budget }
    if (whole !== loosest && !isInSlices(this.prepared, whole)) {
      const rare = await this.scanHits(whole, within)
      const hits = this.saidOfIt(rare.hits)
      if (hits.size > 0) return { hits, since: null }
    }
    const { hits, since } = await this.scanHits(loosest, { ...within, whole })
    for (const requirement of requirements) {
      const so = this.saidOfIt(new Map([...hits].filter(([, { mask }]) => isWanted(mask, requirement))))
      if (so.size > 0) return { hits: so, since }
    }
    return { hits: new Map(), since }
  }

  /**
   * Returns the hits in which each appearance of the query, such as a color, occurs in a sentence with one of the
   * query's things.
   */
  private saidOfIt(hits: Map<string, SliceRow>): Map<string, SliceRow> {
    if (!this.asked.concepts.some(({ look }) => look)) return hits
    const isSo = (row: TextRow) => isSaidOfIt(this.reader.read(row).sentences, this.asked.concepts)
    const rows = listTextsById(this.sql, [...hits.keys()], this.asked.scope).filter(isSo)
    return new Map(
      rows.flatMap(({ event_id }) => {
        const hit = hits.get(event_id)
        return hit ? [[event_id, hit] as const] : []
      }),
    )
  }

  /**
   * Returns true if no event in the range contains the concept, so that no clip can match. `rare`: see `PreparedScan`.
   */
  private isNowhere(concept: Concept, rare: readonly Doc[] | null | undefined): boolean {
    if (concept.setting || rare?.length !== 0) return false
    return phrasesIn(concept) === 0 || !rows.isKnown(this.sql, concept)
  }

  /** Returns true if a hit is within the hours that the query names and contains no excluded concept. */
  private readonly isLetIn = ({ mask, event_ts }: SliceRow) =>
    (mask & this.excluded) === 0 && this.asked.isThen(event_ts)

  private async scanHits(
    requirement: MatchRequirement,
    { compared, counted, whole = requirement, ...within }: Within,
  ): Promise<ScanResult> {
    const { sql, reader, prepared, isLetIn } = this
    const rare = scanRareTerms(sql, prepared, reader, requirement, within.rare)
    const hits = new Map(rare.filter(isLetIn).map((hit) => [hit.event_id, hit]))
    for (const row of listTextsById(sql, [...this.votes.keys()], this.asked.scope)) {
      const hit = { ...row, mask: reader.read(row).mask }
      if (isWanted(hit.mask, requirement) && isLetIn(hit)) hits.set(row.event_id, hit)
    }
    const enough = (all: number) => {
      const having = [...hits.values()].filter(({ mask }) => isWanted(mask, whole))
      return having.length >= counted && having.filter(({ mask }) => (mask & all) === all).length >= compared
    }
    const options = { hits, enough, isLetIn, ...within }
    return { hits, since: await scanSlices(sql, prepared, requirement, options) }
  }

  /** Returns the newest events without excluded concepts, for a query that only excludes things. */
  private newest(): ScanResult {
    const { sql, reader, asked: query, prepared } = this
    const texts = newestShown(sql, prepared.range, NEWEST, query.scope)
    const hits = texts.map((row) => ({ ...row, mask: reader.read(row).mask })).filter(this.isLetIn)
    const oldest = texts.length < NEWEST ? null : (texts.at(-1)?.event_ts ?? null)
    return { hits: new Map(hits.map((hit) => [hit.event_id, hit])), since: oldest }
  }

  /**
   * Returns the rarity of each concept in a sample of the newest events: 0 if all of them contain it, 1 if none does.
   * The text reader also learns word frequencies from the sample.
   */
  private sample(): number[] {
    const readings = newestTexts(this.sql, this.prepared.range, SAMPLE).map((row) => this.reader.read(row))
    for (const reading of readings) this.reader.learn(reading)
    return this.prepared.concepts.map((_, place) => {
      const having = readings.filter(({ mask }) => (mask & (2 ** place)) !== 0).length
      return 1 - having / Math.max(1, readings.length)
    })
  }

  /**
   * Returns the best hits in order. Reads only texts that can affect the ranking: the newest among hits with the same
   * weight and vote.
   */
  private order(hits: ReadonlyMap<string, SliceRow>, limit: number): Placed[] {
    const light = [...hits.values()].map((hit) => ({
      ...{
        ...hit,
        rank: 0,
        isOne: true,
        weight: computeWeight(hit.mask, this.weights),
        vote: this.votes.get(hit.event_id) ?? 0,
      },
    }))
    light.sort(compare)
    const compared: Placed[] = []
    for (const alike of Map.groupBy(light, ({ weight, vote }) => `${weight} ${Math.sign(vote)}`).values()) {
      if (compared.length >= limit) break
      compared.push(...alike.slice(0, COMPARED))
    }
    const ids = compared.map(({ event_id }) => event_id)
    const readings = new Map(
      listTextsById(this.sql, ids, this.asked.scope).map((row) => [row.event_id, this.reader.read(row)]),
    )
    const placed = compared.flatMap((hit) => {
      const reading = readings.get(hit.event_id)
      if (!reading) return []
      return [{ ...hit, rank: this.reader.rank(reading, hit.mask), isOne: isOne(reading, hit.mask) }]
    })
    return placed.sort(compare).slice(0, limit)
  }
}

/** Returns true if a single sentence contains all concepts of the hit that occur in any sentence. */
function isOne({ sentences }: TextMatch, mask: number): boolean {
  const sentencesMask = sentences.reduce((all, sentence) => all | sentence, 0) & mask
  return sentencesMask === 0 || sentences.some((sentence) => (sentence & sentencesMask) === sentencesMask)
}
