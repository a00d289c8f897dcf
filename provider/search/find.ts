import type { SqlStorage } from '@cloudflare/workers-types'
import { SEARCH_LIMIT } from '../../contract/constants.ts'
import type { Event } from '../../contract/events.ts'
import { TOTAL_MAX, type Coverage, type Match } from '../../contract/search.ts'
import { eventsByIds } from '../events/event-rows.ts'
import { narrowed, type View } from '../plans/view.ts'
import { explain } from './explain.ts'
import {
  combinations,
  compare,
  isFound,
  named,
  smallest,
  strengthOf,
  weightOf,
  weightsOf,
  type Placed,
} from './rank.ts'
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
  /** How many there are, counted up to `TOTAL_MAX`. */
  readonly total: number
  readonly closest: PlacedMatch[]
  readonly coverage: Omit<Coverage, 'kept_since'>
}

/** What these cameras have seen of what is asked, as far as the view shows it, best first. */
export function findInHome(sql: SqlStorage, cameras: readonly NamedCamera[], asked: HomeQuery, view: View): HomeFound {
  const ids = cameras.map(({ device_id }) => device_id)
  const devices = asked.devices.length === 0 ? ids : ids.filter((id) => asked.devices.includes(id))
  const scope = { ...rows.scopeOf(sql, narrowed(view, devices)), tags: asked.tags, start: asked.start, end: asked.end }
  const coverage = rows.coverageOf(sql, scope)
  const concepts = understand(asked.query, cameras).map((concept) => meant(sql, concept))
  if (concepts.length === 0 || devices.length === 0) return { found: [], total: 0, closest: [], coverage }
  const counts = (mask: number) => isFound(mask, concepts)
  const { masks, place } = placer(sql, concepts, scope, wordsKey(asked.query))
  const found = place(counts, SEARCH_LIMIT)
  const wanted = smallest(masks.filter(counts)).map((mask) => named(mask, concepts))
  const total = found.length < SEARCH_LIMIT ? found.length : rows.countAny(sql, wanted, scope, TOTAL_MAX)
  const closest = found.length > 0 ? [] : place(() => true, CLOSEST)
  const receipts = receiptsOf(sql, concepts, { cameras, view }, [...found, ...closest])
  return { found: receipts.slice(0, found.length), total, closest: receipts.slice(found.length), coverage }
}

/** The concept, or what it may be a slip of where nothing matches it. */
function meant(sql: SqlStorage, concept: Concept): Concept {
  if (!isPlain(concept) || rows.isKnown(sql, concept)) return concept
  const other = mended(concept, (initial) => rows.vocabulary(sql, initial))
  return other !== null && rows.isKnown(sql, other) ? other : concept
}

/**
 * Finds the best events among those that have a combination of concepts which `counts`. It goes from the weightiest combination
 * to lighter ones until the answer is full, so that what is common is never counted out.
 */
function placer(sql: SqlStorage, concepts: readonly Concept[], scope: rows.Scope, words: string) {
  const rarities = rows.raritiesOf(sql, concepts)
  const weights = weightsOf(concepts, rarities)
  const known = [...concepts.keys()].filter((place) => rarities[place] !== 1)
  const everything = 2 ** concepts.length - 1
  const masks = [
    ...new Set([...(known.length === concepts.length ? [everything] : []), ...combinations(known, weights)]),
  ]
  const votes = rows.votesOn(sql, words)
  const liked = [...votes].flatMap(([id, vote]) => (vote > 0 ? [id] : []))

  const place = (counts: (mask: number) => boolean, limit: number): Placed[] => {
    const placed = new Map<string, Placed>()
    const enough = limit + votes.size
    for (const mask of masks.filter(counts)) {
      if (placed.size >= enough) break
      const wanted = named(mask, concepts)
      const hits = rows.matchingAll(sql, wanted, scope, enough)
      if (liked.length > 0) hits.push(...rows.matchingAll(sql, wanted, scope, liked.length, liked))
      for (const hit of hits)
        if (!placed.has(hit.event_id))
          placed.set(hit.event_id, {
            ...{ ...hit, mask, weight: weightOf(mask, weights), vote: votes.get(hit.event_id) ?? 0 },
          })
    }
    return [...placed.values()].sort(compare).slice(0, limit)
  }
  return { masks, place }
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
