/** Event type ids that every plan shows, including the free plan (EVENT-22). */
const FREE_TYPE_IDS: ReadonlySet<string> = new Set([
  '4',
  '5',
  '101',
  '102',
  '103',
  '104',
  '800001',
  '800002',
  '800003',
  '800005',
  '800006',
  '800007',
  '100285',
  '100286',
])
const MAX_PAID_ID_LENGTH = 7

/**
 * Returns true if every plan shows this event type id: a listed id, or a number of more than 7 digits (EVENT-23,
 * EVENT-24).
 */
export function isFreeTypeId(id: string): boolean {
  return FREE_TYPE_IDS.has(id) || (/^\d+$/.test(id) && id.length > MAX_PAID_ID_LENGTH)
}

/** Returns true if at least one tag of the event is an event type that every plan shows (OPEN-66). */
export function hasFreeTag(tags: readonly string[]): boolean {
  return tags.some(isFreeTypeId)
}
