import { DEFAULT_SEARCH_SORT, SEARCH_LIMIT } from '../../../contract/wire/constants.ts'
import type { RequestOf } from '../../../contract/wire/call.ts'
import { EVENT_TAGS } from '../../../contract/events/event-tags.ts'
import type { SearchMatch, search } from '../../../contract/search/search-calls.ts'
import type { Span } from '../time/date-range.ts'
import { DEFAULT_FILTER } from '../events/event-url.ts'
import { type EventFilter, passesFilter } from '../events/event-filter.ts'

/** Sort orders of search results (OPEN-73). */
export const SEARCH_SORTS = ['best', 'newest', 'oldest'] as const
export type SearchSort = (typeof SEARCH_SORTS)[number]
export const DEFAULT_SORT = DEFAULT_SEARCH_SORT

/** Sorts matches; `best` keeps the order in which the provider returned them. */
export function sortMatches(matches: readonly SearchMatch[], sort: SearchSort): readonly SearchMatch[] {
  if (sort === 'best') return matches
  const sign = sort === 'newest' ? -1 : 1
  return matches.toSorted((a, b) => sign * (a.event.event_ts - b.event.event_ts))
}

export interface SearchInput {
  readonly query: string
  readonly filter: EventFilter
  /** True if spelling correction is turned off. */
  readonly asIs: boolean
  readonly span: Span
  /** Time zone of the times in the query. */
  readonly zone: string
}

/** Returns the request of a search; tag kinds expand to all their tags. */
export function toSearchRequest({ query, filter, asIs, span, zone }: SearchInput): RequestOf<typeof search> {
  const tags = EVENT_TAGS.filter(({ id, kind }) => filter.tags.includes(id) || includesKind(filter, kind))
  return {
    device_macs_to_include: [...filter.cameras],
    event_tags_to_include: tags.map(({ id }) => id),
    start_ts: span.begin,
    end_ts: span.end,
    limit: SEARCH_LIMIT,
    query,
    zone,
    as_is: asIs,
  }
}

const includesKind = ({ kinds }: EventFilter, kind: string) => kinds.some((chosen) => chosen === kind)

/** Filters results by people and by reviewed state, because the search request cannot express these filters. */
export function filterMatches(matches: readonly SearchMatch[], { people, seen }: EventFilter): readonly SearchMatch[] {
  if (people.length === 0 && seen === null) return matches
  return matches.filter(({ event }) => passesFilter(event, { ...DEFAULT_FILTER, people, seen }))
}

export function listFilterLabels({ kinds, tags, seen }: EventFilter): string[] {
  const kindLabels: Readonly<Record<string, string>> = { motion: 'Motion', sound: 'Sound', face: 'Face' }
  const named = EVENT_TAGS.filter(({ id }) => tags.includes(id)).map(({ name }) => name)
  const words = [...kinds.map((kind) => kindLabels[kind] ?? kind), ...named]
  return seen === null ? words : [...words, seen ? 'Seen' : 'Unseen']
}

const MAX_SUGGESTIONS = 6

/**
 * Returns up to `MAX_SUGGESTIONS` entries that contain the typed text, ignoring case. Entries that start with the text
 * come first; an entry that equals the text is omitted.
 */
export function findSuggestions(typed: string, ...lists: readonly (readonly string[])[]): string[] {
  const part = typed.trim().toLowerCase()
  if (part === '') return []
  const all = new Map(lists.flat().map((entry) => [entry.toLowerCase(), entry]))
  const positions = [...all].map(([entry, words]) => ({ words, place: entry === part ? -1 : entry.indexOf(part) }))
  return positions
    .filter(({ place }) => place >= 0)
    .toSorted((a, b) => Math.sign(a.place) - Math.sign(b.place))
    .slice(0, MAX_SUGGESTIONS)
    .map(({ words }) => words)
}
