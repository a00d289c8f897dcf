import type { Match } from '../../contract/search.ts'
import type { Concept } from './rules.ts'
import type { Hit } from './search-rows.ts'

/** Where and when weigh less than what: a courier by day answers "courier at night" better than a fox at night. */
const SETTING_WEIGHT = 0.4
/** How much a rare concept counts above a common one, less than one concept more. */
const RARITY = 0.3

/** How much each concept counts, by how many of `total` events match it. */
export function weightsOf(concepts: readonly Concept[], frequencies: readonly number[], total: number): number[] {
  return concepts.map(({ setting }, i) => {
    const share = (frequencies[i] ?? 0) / Math.max(1, total)
    return (setting ? SETTING_WEIGHT : 1) + RARITY * (1 - Math.min(1, share)) * (setting ? SETTING_WEIGHT : 1)
  })
}

const bits = (mask: number) => mask.toString(2).replaceAll('0', '').length

/** How much of what was asked for an event has. */
export function strengthOf(mask: number, concepts: readonly Concept[]): Match['strength'] {
  const matched = bits(mask)
  if (matched === concepts.length) return 'strong'
  return matched * 2 >= concepts.length ? 'good' : 'weak'
}

/** Whether an event counts as found: it has at least half of what was asked for, where and when aside unless only they were. */
export function isFound(mask: number, concepts: readonly Concept[]): boolean {
  const what = concepts.reduce((all, { setting }, i) => (setting ? all : all + 2 ** i), 0)
  const asked = what === 0 ? 2 ** concepts.length - 1 : what
  return bits(mask & asked) * 2 >= bits(asked)
}

/** A hit with all that its place in the list depends on. */
export interface Placed extends Hit {
  readonly weight: number
  readonly vote: number
}

/** What feedback called wrong stands last, else what has most of what was asked for first; then feedback, words, time. */
export function compare(a: Placed, b: Placed): number {
  return (
    Number(a.vote < 0) - Number(b.vote < 0) ||
    b.weight - a.weight ||
    Number(b.vote > 0) - Number(a.vote > 0) ||
    a.rank - b.rank ||
    b.event_ts - a.event_ts
  )
}

export function weightOf(mask: number, weights: readonly number[]): number {
  return weights.reduce((sum, weight, i) => (mask & (2 ** i) ? sum + weight : sum), 0)
}
