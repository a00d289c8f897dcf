import type { SqlStorage } from '@cloudflare/workers-types'
import { SEARCH_LIMIT } from '../../contract/constants.ts'
import type { Event } from '../../contract/events.ts'
import { TOTAL_MAX, type Coverage, type Match } from '../../contract/search.ts'
import { eventsByIds } from '../events/event-rows.ts'
import { camerasOf, narrowed, viewBegins, type View } from '../plans/view.ts'
import { coverageOf } from './coverage-rows.ts'
import { explain } from './explain.ts'
import { lookAtRare, lookInSlices, prepare, ROWS_MAX, type Budget, type Prepared } from './look.ts'
import { anyOf, compare, isWanted, mostOf, strengthOf, weightOf, weightsOf, type Placed, type Wanted } from './rank.ts'
import { isPlain, mended, understand, wordsKey, type Concept, type NamedCamera } from './rules.ts'
import * as rows from './search-rows.ts'
import { newestTexts, textsOf, type SliceRow } from './slice-rows.ts'
import { TextReader } from './texts.ts'

/** Of what came nearest so many are shown when nothing was found. */
export const CLOSEST = 8
/** Of more events that match the same concepts the newest so many are compared by their words. */
const COMPARED = 200
/** Of each slice so many are looked at for what came nearest. */
const NEAR = 200
/** How common words are is judged by so many of the newest events. */
const SAMPLE = 300

/** A question for one home. */
export interface HomeQuery {
  readonly query: string
  /** None: every camera that the account sees. */
  readonly devices: readonly string[]
  /** None: any kind of event. */
  readonly tags: readonly string[]
  /** ms UTC. */
  readonly start: number
  readonly end: number
}

/** A match with its place among those of other homes. */
export interface PlacedMatch {
  readonly match: Match
  readonly place: Placed
}

export interface HomeFound {
  readonly found: PlacedMatch[]
  /** How many there are, counted up to `TOTAL_MAX`. */
  readonly total: number
  readonly closest: PlacedMatch[]
  readonly coverage: Omit<Coverage, 'kept_since'>
}

/** What these cameras have seen of what is asked, as far as the view shows it, best first. */
export async function findInHome(
  sql: SqlStorage,
  cameras: readonly NamedCamera[],
  asked: HomeQuery,
  view: View,
  budget: Budget = { left: ROWS_MAX, slices: 0 },
): Promise<HomeFound> {
  const ids = cameras.map(({ device_id }) => device_id)
  const devices = asked.devices.length === 0 ? ids : ids.filter((id) => asked.devices.includes(id))
  const shown = narrowed(view, devices)
  const start = Math.max(asked.start, shown.length > 0 ? viewBegins(shown) : 0)
  const scope = { ...rows.scopeOf(sql, shown), tags: asked.tags, start, end: asked.end }
  const concepts = understand(asked.query, cameras).map((concept) => meant(sql, concept))
  if (concepts.length === 0 || shown.length === 0 || start > asked.end) {
    return { found: [], total: 0, closest: [], coverage: await coverageOf(sql, scope, null) }
  }
  const { found, closest, total, since } = await best(sql, concepts, scope, wordsKey(asked.query), {
    budget,
    isNear: true,
  })
  const receipts = (placed: readonly Placed[]) => receiptsOf(sql, concepts, { cameras, view }, placed)
  return {
    ...{ found: receipts(found), closest: receipts(closest), total },
    coverage: await coverageOf(sql, scope, since),
  }
}

/** Whether `findInHome` would find anything; what came nearest and what was searched is not counted. */
export async function findsAny(
  sql: SqlStorage,
  cameras: readonly NamedCamera[],
  { query, tags, start, end }: Omit<HomeQuery, 'devices'>,
  view: View,
  budget: Budget,
): Promise<boolean> {
  const concepts = understand(query, cameras).map((concept) => meant(sql, concept))
  if (concepts.length === 0 || camerasOf(view).length === 0) return false
  const scope = { ...rows.scopeOf(sql, view), tags, start, end }
  const { found } = await best(sql, concepts, scope, wordsKey(query), { budget, isNear: false })
  return found.length > 0
}

/** The concept, or what it may be a slip of where nothing matches it. */
function meant(sql: SqlStorage, concept: Concept): Concept {
  if (!isPlain(concept) || rows.isKnown(sql, concept)) return concept
  const other = mended(concept, (initial) => rows.vocabulary(sql, initial))
  return other !== null && rows.isKnown(sql, other) ? other : concept
}

/**
 * Finds the best events: those with something rare wherever they are, and the newest of those that have only what is common. Where
 * nothing is found, what came nearest (`isNear`).
 */
async function best(
  sql: SqlStorage,
  concepts: readonly Concept[],
  scope: rows.Scope,
  words: string,
  { budget, isNear }: { budget: Budget; isNear: boolean },
) {
  const asked = prepare(sql, concepts, scope)
  const reader = new TextReader(concepts)
  const weights = weightsOf(concepts, sample(sql, asked, reader))
  const votes = rows.votesOn(sql, words)
  const place = (hits: ReadonlyMap<string, SliceRow>, limit: number) =>
    order([...hits.values()], { sql, scope, reader, weights, votes }, limit)

  const look = async (wanted: Wanted, compared: number, counted: number, limit?: number) => {
    const rare = lookAtRare(sql, asked, reader, wanted)
    const hits = new Map(rare.hits.map((hit) => [hit.event_id, hit]))
    for (const row of textsOf(sql, [...votes.keys()], scope)) {
      const { mask } = reader.read(row)
      if (isWanted(mask, wanted)) hits.set(row.event_id, { ...row, mask })
    }
    const enough = (all: number) =>
      hits.size >= counted && [...hits.values()].filter(({ mask }) => (mask & all) === all).length >= compared
    const options = { hits, enough, budget, ...(limit === undefined ? {} : { limit }) }
    const { reached, since } = await lookInSlices(sql, asked, wanted, options)
    const unread = rare.unread.filter((at) => at < reached).map((at) => at + 1)
    const left = [since ?? [], unread].flat()
    return { hits, since: left.length > 0 ? Math.max(...left) : null }
  }
  const { hits, since } = await look(mostOf(concepts), COMPARED, TOTAL_MAX)
  const found = place(hits, SEARCH_LIMIT)
  if (found.length > 0 || !isNear) return { found, total: Math.min(hits.size, TOTAL_MAX), closest: [], since }
  const near = await look(anyOf(concepts), 1, CLOSEST, NEAR)
  return { found, total: 0, closest: place(near.hits, CLOSEST), since }
}

/** How rare each concept is by the newest events: 0 in all of them, 1 nowhere. The reader learns from them how common each word is. */
function sample(sql: SqlStorage, asked: Prepared, reader: TextReader): number[] {
  const readings = newestTexts(sql, asked.range, SAMPLE).map((row) => reader.read(row))
  for (const reading of readings) reader.learn(reading)
  return asked.concepts.map((_, place) => {
    const having = readings.filter(({ mask }) => (mask & (2 ** place)) !== 0).length
    return 1 - having / Math.max(1, readings.length)
  })
}

interface Order {
  readonly sql: SqlStorage
  readonly scope: rows.Scope
  readonly reader: TextReader
  readonly weights: readonly number[]
  readonly votes: ReadonlyMap<string, number>
}

/** The best of the hits. Only those whose words decide about their place are read, of each combination of concepts the newest. */
function order(hits: readonly SliceRow[], { sql, scope, reader, weights, votes }: Order, limit: number): Placed[] {
  const light = hits.map((hit) => ({
    ...{ ...hit, rank: 0, weight: weightOf(hit.mask, weights), vote: votes.get(hit.event_id) ?? 0 },
  }))
  light.sort(compare)
  const compared: Placed[] = []
  for (const alike of Map.groupBy(light, ({ weight, vote }) => `${weight} ${Math.sign(vote)}`).values()) {
    if (compared.length >= limit) break
    compared.push(...alike.slice(0, COMPARED))
  }
  const texts = textsOf(
    sql,
    compared.map(({ event_id }) => event_id),
    scope,
  )
  const readings = new Map(texts.map((row) => [row.event_id, reader.read(row)]))
  const placed = compared.flatMap((hit) => {
    const reading = readings.get(hit.event_id)
    return reading ? [{ ...hit, rank: reader.rank(reading, hit.mask) }] : []
  })
  return placed.sort(compare).slice(0, limit)
}

function receiptsOf(
  sql: SqlStorage,
  concepts: readonly Concept[],
  { cameras, view }: { cameras: readonly NamedCamera[]; view: View },
  placed: readonly Placed[],
): PlacedMatch[] {
  const ids = placed.map(({ event_id }) => event_id)
  const names = new Map(cameras.map(({ device_id, name }) => [device_id, name]))
  const events = JSON.parse(eventsByIds(sql, view, ids)) as Event[]
  const byId = new Map(events.map((event) => [event.event_id, event]))
  const moments = rows.momentsOf(sql, ids)
  return placed.flatMap((place) => {
    const event = byId.get(place.event_id)
    if (!event) return []
    const asked = concepts.some((one) => one.devices.includes(event.device_id))
    const receipt = explain(
      event,
      moments.get(event.event_id) ?? [],
      concepts,
      asked ? (names.get(event.device_id) ?? null) : null,
    )
    return [{ match: { event, strength: strengthOf(place.mask, concepts), ...receipt }, place }]
  })
}
