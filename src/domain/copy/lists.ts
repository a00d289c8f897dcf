// A module of its own, because the events and live pages load counts.ts first and need no lists.

/** Formats a list: `Front door`, `Front door and Garage`, `Front door, Garage, and Street`. */
export const formatList = (items: readonly string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string =>
  new Intl.ListFormat('en-US', { type }).format(items)
