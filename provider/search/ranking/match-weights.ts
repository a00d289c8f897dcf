import type { SearchMatch } from '../../../contract/search/search-calls.ts'
import type { Concept } from '../query/concept.ts'

/** Time and location weigh less than things: a courier by day answers "courier at night" better than a fox at night. */
const SETTING_WEIGHT = 0.4
/** Maximum extra weight of a rare concept, which is less than the weight of one more concept. */
const RARITY = 0.3

export function computeWeights(concepts: readonly Concept[], rarities: readonly number[]): number[] {
  return concepts.map(({ setting }, i) => (setting ? SETTING_WEIGHT : 1) * (1 + RARITY * (rarities[i] ?? 0)))
}

const has = (mask: number, place: number) => (mask & (2 ** place)) !== 0
export const bits = (mask: number) => mask.toString(2).replaceAll('0', '').length

export function computeWeight(mask: number, weights: readonly number[]): number {
  return weights.reduce((sum, weight, place) => (has(mask, place) ? sum + weight : sum), 0)
}

/** Classifies a match by the share of the query's concepts that it contains. Strong: all concepts, in one sentence. */
export function classifyStrength(
  { mask, isOne }: Pick<Placed, 'mask' | 'isOne'>,
  concepts: readonly Concept[],
): SearchMatch['strength'] {
  const matched = bits(mask)
  if (matched === concepts.length && isOne) return 'strong'
  return matched * 2 >= concepts.length ? 'good' : 'weak'
}

/** Concepts that an event must contain: all of `must`, and at least `least` of `asked`. Bit n stands for concept n. */
export interface MatchRequirement {
  readonly asked: number
  readonly must: number
  readonly least: number
}

/** Returns the bit mask of the concepts that pass the test. */
export const buildMask = (concepts: readonly Concept[], isIn: (concept: Concept) => boolean) =>
  concepts.reduce((mask, concept, place) => (isIn(concept) ? mask + 2 ** place : mask), 0)

export function requireAll(concepts: readonly Concept[]): MatchRequirement {
  const queryMask = buildMask(concepts, () => true)
  return { asked: queryMask, must: queryMask, least: concepts.length }
}

export const requireAny = (concepts: readonly Concept[]): MatchRequirement => ({
  asked: buildMask(concepts, () => true),
  must: 0,
  least: 1,
})

/** Returns true if a clip must contain the concept: a thing or a named camera, but no other time or location. */
const isThing = ({ setting, devices }: Concept) => !setting || devices.length > 0

const allIn = (must: number): MatchRequirement => ({ asked: must, must, least: bits(must) })

/**
 * Returns requirements, strictest first; the search applies the first requirement that any event meets. Manner is
 * optional if two things, or a thing and a named camera, remain, because people use many words for manner. Times and
 * locations are optional, because descriptions often omit them.
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

/** Returns true if each appearance occurs in a sentence with one of the query's things. */
export function isSaidOfIt(sentences: readonly number[], concepts: readonly Concept[]): boolean {
  const things = buildMask(concepts, ({ setting, look }) => !setting && !look)
  const looks = concepts.flatMap(({ look }, place) => (look ? [2 ** place] : []))
  if (things === 0) return true
  return looks.every((bit) => sentences.some((sentence) => (sentence & bit) !== 0 && (sentence & things) !== 0))
}

export const isWanted = (mask: number, { asked: queryMask, must, least: minimum }: MatchRequirement): boolean =>
  (mask & must) === must && bits(mask & queryMask) >= minimum

/** Hit with all values that its rank depends on. */
export interface Placed {
  readonly event_id: string
  /** Start of the event, ms UTC. */
  readonly event_ts: number
  /** Text relevance; smaller is better. */
  readonly rank: number
  /** Bit n is set if the event contains concept n. */
  readonly mask: number
  readonly weight: number
  /** True if a single sentence contains all concepts of the hit that occur in any sentence. */
  readonly isOne: boolean
  /** Feedback: above 0 is positive, below is negative. */
  readonly vote: number
}

/** Ranks hits with negative feedback last; the others by weight, feedback, single sentence, text relevance and time. */
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
