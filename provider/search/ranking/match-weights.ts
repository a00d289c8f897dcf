import type { SearchMatch } from '../../../contract/search/search-calls.ts'
import type { Concept } from '../query/concept.ts'

/**
 * Time and location weigh less than things: for "courier at night", a courier by day is a better match than a fox at
 * night.
 */
const SETTING_WEIGHT = 0.4
/** Maximum extra weight of a rare concept. It must be less than the weight of an additional concept. */
const MAX_RARITY_BONUS = 0.3

export function computeWeights(concepts: readonly Concept[], rarities: readonly number[]): number[] {
  return concepts.map(({ setting }, i) => (setting ? SETTING_WEIGHT : 1) * (1 + MAX_RARITY_BONUS * (rarities[i] ?? 0)))
}

const hasBit = (mask: number, conceptIndex: number) => (mask & (2 ** conceptIndex)) !== 0
export function countBits(mask: number): number {
  let count = 0
  for (let rest = mask; rest !== 0; rest &= rest - 1) count += 1
  return count
}

export function computeWeight(mask: number, weights: readonly number[]): number {
  return weights.reduce((sum, weight, place) => (hasBit(mask, place) ? sum + weight : sum), 0)
}

/**
 * Classifies a match by the share of query concepts that it contains. A strong match has all of them in one sentence.
 */
export function classifyStrength(
  { mask, isOne }: Pick<RankedHit, 'mask' | 'isOne'>,
  concepts: readonly Concept[],
): SearchMatch['strength'] {
  const matched = countBits(mask)
  if (matched === concepts.length && isOne) return 'strong'
  return matched * 2 >= concepts.length ? 'good' : 'weak'
}

/**
 * Concepts that an event must contain: all of `must`, and at least `least` of `asked`. In the masks, bit n stands for
 * concept n.
 */
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

/** Returns false for a time, and for a location that names no camera. A match may lack such concepts. */
const isThing = ({ setting, devices }: Concept) => !setting || devices.length > 0

const createMaskRequirement = (must: number): MatchRequirement => ({ asked: must, must, least: countBits(must) })

/**
 * Returns the alternative requirements for a match, strictest first. Later requirements omit times and locations
 * without a camera, because descriptions often omit them. Some omit manner (`loose`), if two things, or a thing and a
 * camera, remain.
 */
export function listRequirements(concepts: readonly Concept[]): MatchRequirement[] {
  const toBitMask = (isIn: (concept: Concept) => boolean) => buildMask(concepts, isIn)
  const canOmitManner =
    countBits(toBitMask((concept) => isThing(concept) && !concept.loose)) > 1 &&
    toBitMask((concept) => !concept.setting && !concept.loose) > 0
  const masks = [
    toBitMask(() => true),
    ...(canOmitManner ? [toBitMask(({ loose }) => !loose)] : []),
    toBitMask(isThing),
    ...(canOmitManner ? [toBitMask((concept) => isThing(concept) && !concept.loose)] : []),
  ]
  return [...new Set(masks)].filter((must) => must !== 0).map(createMaskRequirement)
}

/**
 * Returns true if each appearance, such as a color, occurs in a sentence with at least one thing of the query, or if
 * the query names no thing.
 */
export function hasAppearanceNearThing(sentences: readonly number[], concepts: readonly Concept[]): boolean {
  const things = buildMask(concepts, ({ setting, look }) => !setting && !look)
  const looks = concepts.flatMap(({ look }, place) => (look ? [2 ** place] : []))
  if (things === 0) return true
  return looks.every((bit) => sentences.some((sentence) => (sentence & bit) !== 0 && (sentence & things) !== 0))
}

export const meetsRequirement = (mask: number, { asked: queryMask, must, least: minimum }: MatchRequirement): boolean =>
  (mask & must) === must && countBits(mask & queryMask) >= minimum

export interface RankedHit {
  readonly event_id: string
  /** Start of the event, ms UTC. */
  readonly event_ts: number
  /** Text relevance; smaller is better. */
  readonly rank: number
  /** Bit n is set if the event contains concept n. */
  readonly mask: number
  readonly weight: number
  /** True if one sentence contains every concept that occurs in any sentence of the event. */
  readonly isOne: boolean
  /** Sum of feedback votes: above 0 is positive, below 0 is negative. */
  readonly vote: number
}

/**
 * Compares hits for sorting: negative feedback last, then by weight, positive feedback, single sentence, text relevance
 * and time.
 */
export function compareHits(a: Omit<RankedHit, 'event_id'>, b: Omit<RankedHit, 'event_id'>): number {
  return (
    Number(a.vote < 0) - Number(b.vote < 0) ||
    b.weight - a.weight ||
    Number(b.vote > 0) - Number(a.vote > 0) ||
    Number(b.isOne) - Number(a.isOne) ||
    a.rank - b.rank ||
    b.event_ts - a.event_ts
  )
}
