export type SortOrder = 'asc' | 'desc'

/**
 * A copy of `events` ordered by `event_ts`; events of the same millisecond keep their order.
 * @throws Error in the exact words of EVENT-18 to 20 for anything but an array of objects with a numeric `event_ts`, and for
 * another order.
 */
export function sortEvents<T extends { readonly event_ts: number }>(events: readonly T[], order: SortOrder): T[] {
  if (!Array.isArray(events)) throw new Error('Input must be an array.')
  if (!events.every(hasTimestamp)) throw new Error('Array must contain only numbers (timestamps).')
  if (!isOrder(order)) throw new Error('Order must be "asc" or "desc".')
  const sign = order === 'asc' ? 1 : -1
  return events.toSorted((a, b) => sign * (a.event_ts - b.event_ts))
}

function isOrder(order: unknown): order is SortOrder {
  return order === 'asc' || order === 'desc'
}

function hasTimestamp(item: unknown): boolean {
  if (typeof item !== 'object' || item === null || !('event_ts' in item)) return false
  return typeof item.event_ts === 'number' && !Number.isNaN(item.event_ts)
}
