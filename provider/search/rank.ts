import type { Match } from '../../contract/search.ts'
import type { Concept } from './concept.ts'

/** Where and when weigh less than what: a courier by day answers "courier at night" better than a fox at night. */
const SETTING_WEIGHT = 0.4
/** How much a rare concept counts above a common one: less than one concept more. */
const RARITY = 0.3

/** How much each concept counts. */
export function weightsOf(concepts: readonly Concept[], rarities: readonly number[]): number[] {
  return concepts.map(({ setting }, i) => (setting ? SETTING_WEIGHT : 1) * (1 + RARITY * (rarities[i] ?? 0)))
}

const has = (mask: number, place: number) => (mask & (2 ** place)) !== 0
/** How many bits of the mask are set. */
export const bits = (mask: number) => mask.toString(2).replaceAll('0', '').length

export function weightOf(mask: number, weights: readonly number[]): number {
  return weights.reduce((sum, weight, place) => (has(mask, place) ? sum + weight : sum), 0)
}

/** How much of what was asked for an event has. */
export function strengthOf(mask: number, concepts: readonly Concept[]): Match['strength'] {
  const matched = bits(mask)
  if (matched === concepts.length) return 'strong'
  return matched * 2 >= concepts.length ? 'good' : 'weak'
}

/** Of the concepts of `asked` (bit n: concept n) an event has to have all of `must`, and `least` in all. */
export interface Wanted {
  readonly asked: number
  readonly must: number
  readonly least: number
}

const maskOf = (concepts: readonly Concept[], isIn: (concept: Concept) => boolean) =>
  concepts.reduce((mask, concept, place) => (isIn(concept) ? mask + 2 ** place : mask), 0)

/** Every one of the concepts. */
export function allOf(concepts: readonly Concept[]): Wanted {
  const asked = maskOf(concepts, () => true)
  return { asked, must: asked, least: concepts.length }
}

/** Any one of the concepts. */
export const anyOf = (concepts: readonly Concept[]): Wanted => ({
  asked: maskOf(concepts, () => true),
  must: 0,
  least: 1,
})

/** What makes an event found: everything that was asked for and a camera that was named, whatever the light, unless only that was asked for. */
export function foundBy(concepts: readonly Concept[]): Wanted {
  const must = maskOf(concepts, ({ setting, devices }) => !setting || devices.length > 0)
  return must === 0 ? allOf(concepts) : { asked: must, must, least: bits(must) }
}

/**
 * What makes an event found where none has everything: of two things or more, or a thing and a named camera, all, whatever they do,
 * since what is done has many names; null where less is asked for, of which a part alone would be another thing.
 */
export function foundWithoutDoing(concepts: readonly Concept[]): Wanted | null {
  const must = maskOf(concepts, ({ setting, devices, doing }) => !doing && (!setting || devices.length > 0))
  const isAnyLeft = concepts.some(({ doing }) => doing) && concepts.some(({ doing, setting }) => !doing && !setting)
  return isAnyLeft && bits(must) > 1 ? { asked: must, must, least: bits(must) } : null
}

/** Whether an event with these concepts is what is wanted. */
export const isWanted = (mask: number, { asked, must, least }: Wanted): boolean =>
  (mask & must) === must && bits(mask & asked) >= least

/** A hit with all that its place in the list depends on. */
export interface Placed {
  readonly event_id: string
  /** ms UTC. */
  readonly event_ts: number
  /** How well the words match; the smaller, the better. */
  readonly rank: number
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
