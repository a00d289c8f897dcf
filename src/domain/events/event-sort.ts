export type SortOrder = 'asc' | 'desc'

/**
 * Returns a copy of `events` sorted by `event_ts`; the sort is stable.
 * @throws Error in the exact words of EVENT-18 to 20 unless `events` is an array of objects with a numeric `event_ts`
 * and the order is valid.
 */
export function sortEvents<T extends { readonly event_ts: number }>(events: readonly T[], order: SortOrder): T[] {
  if (!Array.isArray(events)) throw new Error('Input must be an array.')
  if (!events.every(hasTimestamp)) throw new Error('Array must contain only numbers (timestamps).')
  if (!isSortOrder(order)) throw new Error('Order must be "asc" or "desc".')
  const sign = order === 'asc' ? 1 : -1
  return events.toSorted((a, b) => sign * (a.event_ts - b.event_ts))
}

function isSortOrder(order: unknown): order is SortOrder {
  return order === 'asc' || order === 'desc'
}

function hasTimestamp(item: unknown): boolean {
  if (typeof item !== 'object' || item === null || !('event_ts' in item)) return false
  return typeof item.event_ts === 'number' && !Number.isNaN(item.event_ts)
}
