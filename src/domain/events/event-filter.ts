import { EVENT_TAGS, TAG_ID_BY_SCENE_WORD, type TagId } from '../../../contract/events/event-tags.ts'
import type { Event } from '../../../contract/events/events.ts'
import type { DateRange, QuickRange } from '../time/date-range.ts'
import { type FilterKind, hasKind } from './event-types.ts'

/** Filter of the events page. An empty list or null applies no restriction. */
export interface EventFilter {
  readonly range: QuickRange | DateRange
  readonly cameras: readonly string[]
  /** Tag kinds and single tags. An event passes if it matches any entry of the two lists. */
  readonly kinds: readonly FilterKind[]
  readonly tags: readonly TagId[]
  /** Names of people; an event must contain at least one. */
  readonly people: readonly string[]
  /** Hour of the day, 0 to 23, in the browser's zone. */
  readonly hour: number | null
  /** True: only reviewed events; false: only events that are not reviewed. */
  readonly seen: boolean | null
}

/**
 * Returns the names of the people in an event. Only events with the face tag contain names: the values that are not tag
 * words (OPEN-64).
 */
export function listPeople({ tags, event_values }: Pick<Event, 'tags' | 'event_values'>): string[] {
  return tags.includes(FACE_TAG) ? event_values.filter((value) => !(value in TAG_ID_BY_SCENE_WORD)) : []
}

const FACE_TAG: TagId = '12'

/** Returns the names of all people on these events, sorted. */
export function listPeopleOfEvents(events: readonly Event[]): string[] {
  return [...new Set(events.flatMap(listPeople))].toSorted((a, b) => a.localeCompare(b))
}

/** Returns true if the filter has a restriction in addition to its days. */
export function hasActiveFilter({ cameras, kinds, tags, people, hour, seen }: EventFilter): boolean {
  return cameras.length + kinds.length + tags.length + people.length > 0 || hour !== null || seen !== null
}

/** Returns true if an event passes the filter. Does not check the days of the filter. */
export function passesFilter(event: Event, { cameras, kinds, tags, people, hour, seen }: EventFilter): boolean {
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

/** Returns the tags of a kind in the order of the tag table, without the general tag that stands for the whole kind. */
export function listTagsOfKind(kind: FilterKind): (typeof EVENT_TAGS)[number][] {
  return EVENT_TAGS.filter((tag) => tag.kind === kind && !GENERAL_TAGS.has(tag.id))
}

/** General tags `Motion`, `Sound` and `Face`. The filter offers them as kinds, not as single tags. */
const GENERAL_TAGS: ReadonlySet<TagId> = new Set(['4', '5', FACE_TAG])
