import { EVENT_TAGS, type EventTag, type TagId, type TagKind } from '../../../contract/events/event-tags.ts'

/** Event type ids that every account may see (EVENT-22). */
const FREE_TYPES: ReadonlySet<string> = new Set([
  '800001',
  '800002',
  '800003',
  '800005',
  '800006',
  '800007',
  '4',
  '5',
  '101',
  '102',
  '103',
  '104',
  '100285',
  '100286',
])

/** Type ids with more digits than this are free (EVENT-23). */
const PAID_TYPE_MAX_DIGITS = 7

/** Returns true if a type id, compared as a digit string (OPEN-66), is in the free event view. */
export function isFreeType(id: string | number): boolean {
  const digits = String(id)
  return FREE_TYPES.has(digits) || (/^\d+$/.test(digits) && digits.length > PAID_TYPE_MAX_DIGITS)
}

/** Returns true if at least one type id of the event is free (OPEN-66). */
export function isFreeEvent(event: { readonly tags: readonly string[] }): boolean {
  return event.tags.some(isFreeType)
}

/** Tags that the filter offers first: Person, Vehicle, Pet and Package. */
const QUICK_TAG_IDS: readonly TagId[] = ['101', '102', '103', '104']
export const QUICK_TAGS = EVENT_TAGS.filter(({ id }) => QUICK_TAG_IDS.includes(id))

/** Tag kinds that the filter offers (EVENT-03). */
export const FILTER_KINDS = ['motion', 'sound', 'face'] as const satisfies readonly TagKind[]
export type FilterKind = (typeof FILTER_KINDS)[number]

export function isFilterKind(value: string): value is FilterKind {
  return (FILTER_KINDS as readonly string[]).includes(value)
}

export function isTagId(value: string): value is TagId {
  return EVENT_TAGS.some(({ id }) => id === value)
}

/** General tags, redundant next to a more specific tag of the same kind. */
const GENERAL_TAGS: ReadonlySet<string> = new Set(['4', '5'])

/**
 * Returns the known tags of an event in the order of the tag table. Specific tags replace the general one of their
 * kind.
 */
export function eventTags(event: { readonly tags: readonly string[] }): EventTag[] {
  const matching = EVENT_TAGS.filter((tag) => event.tags.includes(tag.id))
  return matching.filter(
    (tag) => !GENERAL_TAGS.has(tag.id) || !matching.some((other) => other !== tag && other.kind === tag.kind),
  )
}

/** Formats a tag name in sentence case: `Glass breaking`. */
export const tagLabel = (name: string): string => name.charAt(0) + name.slice(1).toLowerCase()

/** Returns the tags of an event that say more than its title, with their names in sentence case. */
export function listShownTags(event: { readonly title: string; readonly tags: readonly string[] }): EventTag[] {
  const titleWords = event.title.toLowerCase().split(' and ')
  return eventTags(event)
    .map((tag) => ({ ...tag, name: tagLabel(tag.name) }))
    .filter(({ name }) => !titleWords.includes(name.toLowerCase()))
}

/** Returns the title of an event. A title that is a tag name is in sentence case. */
export const titleLabel = ({ title }: { readonly title: string }): string =>
  EVENT_TAGS.some(({ name }) => name === title) ? tagLabel(title) : title

/** Returns true if the event has a tag of one of these kinds, or if `kinds` is empty. */
export function hasKind(event: { readonly tags: readonly string[] }, kinds: readonly TagKind[]): boolean {
  if (kinds.length === 0) return true
  return event.tags.some((id) => {
    const kind = KIND_OF_TAG.get(id)
    return kind !== undefined && kinds.includes(kind)
  })
}

const KIND_OF_TAG: ReadonlyMap<string, TagKind> = new Map(EVENT_TAGS.map(({ id, kind }) => [id, kind]))
