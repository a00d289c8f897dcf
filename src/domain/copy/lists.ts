import { formatCount } from './counts.ts'

// A module of its own, because the events and live pages load counts.ts first and need no lists.

/** Formats a list: `Front door`, `Front door and Garage`, `Front door, Garage, and Street`. */
export const formatList = (items: readonly string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string =>
  new Intl.ListFormat('en-US', { type }).format(items)

/** Formats a number of two or more that is complete: `both cameras`, `all 6 cameras`. */
export const formatAll = (count: number, singular: string): string =>
  count === 2 ? `both ${singular}s` : `all ${formatCount(count, singular)}`

/** Formats the same at the start of a sentence: `Both cameras`, `All 6 cameras`. */
export const formatAllAtStart = (count: number, singular: string): string =>
  formatAll(count, singular).replace(/^./, (letter) => letter.toUpperCase())
