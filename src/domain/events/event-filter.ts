import { EVENT_TAGS, TAG_OF_WORD, type TagId } from '../../../contract/events/event-tags.ts'
import type { Event } from '../../../contract/events/events.ts'
import type { DateRange, QuickRange } from '../time/date-range.ts'
import { type FilterKind, hasKind } from './event-types.ts'

/** Which events the page shows. Empty lists and null let everything through. */
export interface EventFilter {
  /** A range of the last days, or days that somebody chose. */
  readonly range: QuickRange | DateRange
  readonly cameras: readonly string[]
  /** Whole lists of tags, and single ones: an event needs one of either. */
  readonly kinds: readonly FilterKind[]
  readonly tags: readonly TagId[]
  /** Names of people: an event needs one of them. */
  readonly people: readonly string[]
  /** The hour of the day, 0 to 23, in the browser's zone. */
  readonly hour: number | null
  /** Whether somebody of the home has opened it. */
  readonly seen: boolean | null
}

/** The people that an event names: its values that are no word of a tag (OPEN-64). */
export function listPeople({ tags, event_values }: Pick<Event, 'tags' | 'event_values'>): string[] {
  return tags.includes(FACE) ? event_values.filter((value) => !(value in TAG_OF_WORD)) : []
}

const FACE: TagId = '12'

/** Everybody whom these events name, by name. */
export function namesIn(events: readonly Event[]): string[] {
  return [...new Set(events.flatMap(listPeople))].toSorted((a, b) => a.localeCompare(b))
}

/** Whether the filter narrows the events of its days. */
export function isNarrowing({ cameras, kinds, tags, people, hour, seen }: EventFilter): boolean {
  return cameras.length + kinds.length + tags.length + people.length > 0 || hour !== null || seen !== null
}

/** Whether the filter lets an event through; its days are not looked at. */
export function passes(event: Event, { cameras, kinds, tags, people, hour, seen }: EventFilter): boolean {
  if (hour !== null && new Date(event.event_ts).getHours() !== hour) return false
  if (cameras.length > 0 && !cameras.includes(event.device_id)) return false
  if (seen !== null && event.reviewed !== seen) return false
  if (people.length > 0 && !listPeople(event).some((name) => people.includes(name))) return false
  return hasTag(event, kinds, tags)
}

function hasTag(event: Event, kinds: readonly FilterKind[], tags: readonly TagId[]): boolean {
  if (kinds.length + tags.length === 0) return true
  return (kinds.length > 0 && hasKind(event, kinds)) || tags.some((id) => event.tags.includes(id))
}

/** Tags of one kind in the order of the tag table, without the general one that means the whole kind. */
export function tagsOfKind(kind: FilterKind): (typeof EVENT_TAGS)[number][] {
  return EVENT_TAGS.filter((tag) => tag.kind === kind && !GENERAL.has(tag.id))
}

/** `Motion`, `Sound` and `Face`: chosen by their kind. */
const GENERAL: ReadonlySet<TagId> = new Set(['4', '5', FACE])
