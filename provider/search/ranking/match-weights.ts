import type { Match } from '../../../contract/search/search-calls.ts'
import type { Concept } from '../query/concept.ts'

/** Where and when weigh less than what: a courier by day answers "courier at night" better than a fox at night. */
const SETTING_WEIGHT = 0.4
/** How much a rare concept counts above a common one: less than one concept more. */
const RARITY = 0.3

/** How much each concept counts. */
export function computeWeights(concepts: readonly Concept[], rarities: readonly number[]): number[] {
  return concepts.map(({ setting }, i) => (setting ? SETTING_WEIGHT : 1) * (1 + RARITY * (rarities[i] ?? 0)))
}

const has = (mask: number, place: number) => (mask & (2 ** place)) !== 0
/** How many bits of the mask are set. */
export const bits = (mask: number) => mask.toString(2).replaceAll('0', '').length

export function computeWeight(mask: number, weights: readonly number[]): number {
  return weights.reduce((sum, weight, place) => (has(mask, place) ? sum + weight : sum), 0)
}

/** How much of what was asked for an event has; strong: all of it, in one sentence. */
export function classifyStrength(
  { mask, isOne }: Pick<Placed, 'mask' | 'isOne'>,
  concepts: readonly Concept[],
): Match['strength'] {
  const matched = bits(mask)
  if (matched === concepts.length && isOne) return 'strong'
  return matched * 2 >= concepts.length ? 'good' : 'weak'
}

/** Of the concepts of `asked` (bit n: concept n) an event has to have all of `must`, and `least` in all. */
export interface MatchRequirement {
  readonly asked: number
  readonly must: number
  readonly least: number
}

/** Bits of the concepts that are so. */
export const buildMask = (concepts: readonly Concept[], isIn: (concept: Concept) => boolean) =>
  concepts.reduce((mask, concept, place) => (isIn(concept) ? mask + 2 ** place : mask), 0)

/** Every one of the concepts. */
export function requireAll(concepts: readonly Concept[]): MatchRequirement {
  const queryMask = buildMask(concepts, () => true)
  return { asked: queryMask, must: queryMask, least: concepts.length }
}

/** Any one of the concepts. */
export const requireAny = (concepts: readonly Concept[]): MatchRequirement => ({
  asked: buildMask(concepts, () => true),
  must: 0,
  least: 1,
})

/** Whether a clip has to have it: everything that was asked for and a camera that was named, whatever the light. */
const isThing = ({ setting, devices }: Concept) => !setting || devices.length > 0

const allIn = (must: number): MatchRequirement => ({ asked: must, must, least: bits(must) })

/**
 * What makes an event found: what was asked for; where nothing has all of it, the first of these that something has. However it moves,
 * is handled or worn, which has many names, where two things are left, or a thing and a named camera (of less a part alone would be another
 * thing); and whatever the light, which not everybody says.
 */
export function listRequirements(concepts: readonly Concept[]): MatchRequirement[] {
  const of = (isIn: (concept: Concept) => boolean) => buildMask(concepts, isIn)
  const isLeft =
    bits(of((concept) => isThing(concept) && !concept.loose)) > 1 &&
    of((concept) => !concept.setting && !concept.loose) > 0
  const masks = [
    of(() => true),
    ...(isLeft ? [of(({ loose }) => !loose)] : []),
    of(isThing),
    ...(isLeft ? [of((concept) => isThing(concept) && !concept.loose)] : []),
  ]
  return [...new Set(masks)].filter((must) => must !== 0).map(allIn)
}

/** Whether what something looks like is said of it: in a sentence that says another of the things that were asked for, too. */
export function isSaidOfIt(sentences: readonly number[], concepts: readonly Concept[]): boolean {
  const things = buildMask(concepts, ({ setting, look }) => !setting && !look)
  const looks = concepts.flatMap(({ look }, place) => (look ? [2 ** place] : []))
  if (things === 0) return true
  return looks.every((bit) => sentences.some((sentence) => (sentence & bit) !== 0 && (sentence & things) !== 0))
}

/** Whether an event with these concepts is what is wanted. */
export const isWanted = (mask: number, { asked: queryMask, must, least: minimum }: MatchRequirement): boolean =>
  (mask & must) === must && bits(mask & queryMask) >= minimum

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
  /** Whether one sentence says all that it has, as far as sentences do. */
  readonly isOne: boolean
  /** What feedback says: above 0 it is right, below it is wrong. */
  readonly vote: number
}

/** What feedback called wrong stands last; else what has most of what was asked for first, then feedback, what one sentence says, words, time. */
export function compare(a: Placed, b: Placed): number {
  return (
    Number(a.vote < 0) - Number(b.vote < 0) ||
    b.weight - a.weight ||
    Number(b.vote > 0) - Number(a.vote > 0) ||
    Number(b.isOne) - Number(a.isOne) ||
    a.rank - b.rank ||
    b.event_ts - a.event_ts
  )
}
