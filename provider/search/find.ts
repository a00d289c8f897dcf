import type { SqlStorage } from '@cloudflare/workers-types'
import { SEARCH_LIMIT } from '../../contract/constants.ts'
import type { Event } from '../../contract/events.ts'
import type { Coverage, Match } from '../../contract/search.ts'
import { eventsByIds } from '../home/event-rows.ts'
import { explain } from './explain.ts'
import { compare, isFound, strengthOf, weightOf, weightsOf, type Placed } from './rank.ts'
import { isPlain, mended, understand, wordsKey, type Concept, type NamedCamera } from './rules.ts'
import * as rows from './search-rows.ts'

/** Of what came nearest so many are shown when nothing was found. */
export const CLOSEST = 8

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
  readonly closest: PlacedMatch[]
  readonly coverage: Omit<Coverage, 'kept_since'>
}

/** What these cameras have seen of what is asked, best first. */
export function findInHome(sql: SqlStorage, cameras: readonly NamedCamera[], asked: HomeQuery): HomeFound {
  const ids = cameras.map(({ device_id }) => device_id)
  const devices = asked.devices.length === 0 ? ids : ids.filter((id) => asked.devices.includes(id))
  const scope = { devices, tags: asked.tags, start: asked.start, end: asked.end }
  const coverage = rows.coverageOf(sql, scope)
  const concepts = understand(asked.query, cameras).map((concept) => meant(sql, concept))
  if (concepts.length === 0 || devices.length === 0) return { found: [], closest: [], coverage }
  const placed = placedHits(sql, concepts, scope, wordsKey(asked.query))
  const found = placed.filter(({ mask }) => isFound(mask, concepts)).slice(0, SEARCH_LIMIT)
  const closest = found.length > 0 ? [] : placed.slice(0, CLOSEST)
  const receipts = receiptsOf(sql, concepts, cameras, [...found, ...closest])
  return { found: receipts.slice(0, found.length), closest: receipts.slice(found.length), coverage }
}

/** The concept, or what it may be a slip of where nothing matches it. */
function meant(sql: SqlStorage, concept: Concept): Concept {
  if (!isPlain(concept) || rows.isKnown(sql, concept)) return concept
  const other = mended(concept, (initial) => rows.vocabulary(sql, initial))
  return other !== null && rows.isKnown(sql, other) ? other : concept
}

/** What matches, best first: first what matches all; what matches some only where that does not fill the answer. */
function placedHits(sql: SqlStorage, concepts: readonly Concept[], scope: rows.Scope, words: string): Placed[] {
  const votes = rows.votesOn(sql, words)
  const limit = SEARCH_LIMIT + votes.size
  const all = rows.matchingAll(sql, concepts, scope, limit)
  const liked = [...votes].flatMap(([id, vote]) => (vote > 0 ? [id] : []))
  const kept = liked.length === 0 ? [] : rows.matchingAll(sql, concepts, scope, liked.length, liked)
  const enough = all.length >= limit || concepts.length === 1
  const frequencies = enough ? concepts.map(() => 0) : rows.frequencies(sql, concepts)
  const weights = weightsOf(concepts, frequencies, rows.indexed(sql))
  const some = enough ? [] : rows.matchingSome(sql, concepts, weights, scope)
  const hits = new Map([...some, ...all, ...kept].map((hit) => [hit.event_id, hit]))
  return [...hits.values()]
    .map((hit) => ({ ...hit, weight: weightOf(hit.mask, weights), vote: votes.get(hit.event_id) ?? 0 }))
    .sort(compare)
}

function receiptsOf(
  sql: SqlStorage,
  concepts: readonly Concept[],
  cameras: readonly NamedCamera[],
  placed: readonly Placed[],
): PlacedMatch[] {
  const ids = placed.map(({ event_id }) => event_id)
  const names = new Map(cameras.map(({ device_id, name }) => [device_id, name]))
  const events = JSON.parse(eventsByIds(sql, [...names.keys()], ids, false)) as Event[]
  const byId = new Map(events.map((event) => [event.event_id, event]))
  const texts = new Map(rows.highlighted(sql, concepts, ids).map((shown) => [shown.event_id, shown]))
  return placed.flatMap((place) => {
    const [event, shown] = [byId.get(place.event_id), texts.get(place.event_id)]
    if (!event || !shown) return []
    const asked = concepts.some((one) => one.devices.includes(event.device_id))
    const name = asked ? (names.get(event.device_id) ?? null) : null
    return [{ match: { event, strength: strengthOf(place.mask, concepts), ...explain(shown, name) }, place }]
  })
}
