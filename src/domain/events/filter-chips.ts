import { EVENT_TAGS } from '../../../contract/events/event-tags.ts'
import type { EventFilter } from './event-filter.ts'
import { rangeLabel } from '../time/list-date-formats.ts'
import { hourSpanLabel } from '../time/hour-label.ts'

/** Label of an active filter part, and the filter change that removes it. */
export interface FilterChip {
  readonly label: string
  readonly without: Partial<EventFilter>
}

const KIND_NAMES: Readonly<Record<EventFilter['kinds'][number], string>> = {
  motion: 'Motion',
  sound: 'Sound',
  face: 'Face',
}

/** Returns the chips of the active filter: days, kinds and tags, cameras, people, hour, seen. */
export function createFilterChips(filter: EventFilter, cameraNames: ReadonlyMap<string, string>): FilterChip[] {
  const { range, cameras, kinds, tags, people, hour, seen } = filter
  const chips: FilterChip[] = []
  const add = (label: string, filterChange: Partial<EventFilter>) => chips.push({ label, without: filterChange })
  if (range === 60) add('60 days', { range: 14 })
  if (typeof range === 'object') add(rangeLabel(range.start, range.end), { range: 14 })
  const tagNames = [
    ...kinds.map((kind) => KIND_NAMES[kind]),
    ...tags.map((id) => EVENT_TAGS.find((tag) => tag.id === id)?.name ?? id),
  ]
  if (tagNames.length > 0) add(formatNames(tagNames), { kinds: [], tags: [] })
  if (cameras.length > 0) add(formatNames(cameras.map((id) => cameraNames.get(id) ?? 'A camera')), { cameras: [] })
  if (people.length > 0) add(formatNames(people), { people: [] })
  if (hour !== null) add(hourSpanLabel(hour), { hour: null })
  if (seen !== null) add(seen ? 'Seen' : 'Unseen', { seen: null })
  return chips
}

function formatNames(names: readonly string[]): string {
  const [first = '', second] = names
  if (names.length > 2) return `${first} and ${names.length - 1} more`
  return second === undefined ? first : `${first}, ${second}`
}
