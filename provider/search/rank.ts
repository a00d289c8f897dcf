import type { Match } from '../../contract/search.ts'
import type { Concept } from './rules.ts'
import type { Hit } from './search-rows.ts'

/** Where and when weigh less than what: a courier by day answers "courier at night" better than a fox at night. */
const SETTING_WEIGHT = 0.4
/** How much a rare concept counts above a common one: less than one concept more. */
const RARITY = 0.3
/** Answers that have only some of what was asked are looked for among so many concepts, the weightiest. */
const COMBINED = 6

/** How much each concept counts. */
export function weightsOf(concepts: readonly Concept[], rarities: readonly number[]): number[] {
  return concepts.map(({ setting }, i) => (setting ? SETTING_WEIGHT : 1) * (1 + RARITY * (rarities[i] ?? 0)))
}

const has = (mask: number, place: number) => (mask & (2 ** place)) !== 0
const bits = (mask: number) => mask.toString(2).replaceAll('0', '').length

export function weightOf(mask: number, weights: readonly number[]): number {
  return weights.reduce((sum, weight, place) => (has(mask, place) ? sum + weight : sum), 0)
}

/** The concepts that a mask names: bit n is concept n. */
export function named<T>(mask: number, concepts: readonly T[]): T[] {
  return concepts.filter((_, place) => has(mask, place))
}

/** Masks of the combinations of these concepts, the weightiest first. */
export function combinations(places: readonly number[], weights: readonly number[]): number[] {
  const most = places.toSorted((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0)).slice(0, COMBINED)
  const masks = Array.from({ length: 2 ** most.length - 1 }, (_, n) =>
    most.reduce((mask, place, i) => (has(n + 1, i) ? mask + 2 ** place : mask), 0),
  )
  return masks.sort((a, b) => weightOf(b, weights) - weightOf(a, weights))
}

/** Those that include no other: what has one of these has all that the others ask for at least. */
export function smallest(masks: readonly number[]): number[] {
  return masks.filter((mask) => !masks.some((other) => other !== mask && (mask & other) === other))
}

/** How much of what was asked for an event has. */
export function strengthOf(mask: number, concepts: readonly Concept[]): Match['strength'] {
  const matched = bits(mask)
  if (matched === concepts.length) return 'strong'
  return matched * 2 >= concepts.length ? 'good' : 'weak'
}

/**
 * Whether an event counts as found: it has most of what was asked for, of two things one; where and when aside unless only they
 * were.
 */
export function isFound(mask: number, concepts: readonly Concept[]): boolean {
  const what = concepts.reduce((all, { setting }, i) => (setting ? all : all + 2 ** i), 0)
  const asked = what === 0 ? 2 ** concepts.length - 1 : what
  const [there, all] = [bits(mask & asked), bits(asked)]
  return there * 2 > all || (all === 2 && there === 1)
}

/** A hit with all that its place in the list depends on. */
export interface Placed extends Hit {
  /** Bit n: it has concept n. */
  readonly mask: number
  readonly weight: number
  /** What feedback says: above 0 it is right, below it is wrong. */
  readonly vote: number
}

/** What feedback called wrong stands last; else what has most of what was asked for first, then feedback, words, time. */
export function compare(a: Placed, b: Placed): number {
  return (
    Number(a.vote < 0) - Number(b.vote < 0) ||
    b.weight - a.weight ||
    Number(b.vote > 0) - Number(a.vote > 0) ||
    a.rank - b.rank ||
    b.event_ts - a.event_ts
  )
}
