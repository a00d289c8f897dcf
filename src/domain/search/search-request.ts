import { DEFAULT_SEARCH_SORT, SEARCH_LIMIT } from '../../../contract/wire/constants.ts'
import type { RequestOf } from '../../../contract/wire/call.ts'
import { EVENT_TAGS } from '../../../contract/events/event-tags.ts'
import type { Match, search } from '../../../contract/search/search-calls.ts'
import type { Span } from '../time/date-range.ts'
import { DEFAULT_FILTER } from '../events/event-url.ts'
import { type EventFilter, passes } from '../events/event-filter.ts'

/** How results can be sorted (OPEN-73). */
export const SORTS = ['best', 'newest', 'oldest'] as const
export type Sort = (typeof SORTS)[number]
export const DEFAULT_SORT = DEFAULT_SEARCH_SORT

/** `best` is the provider's order. */
export function sortMatches(matches: readonly Match[], sort: Sort): readonly Match[] {
  if (sort === 'best') return matches
  const sign = sort === 'newest' ? -1 : 1
  return matches.toSorted((a, b) => sign * (a.event.event_ts - b.event.event_ts))
}

/** A question as the page puts it. */
export interface Asking {
  readonly query: string
  readonly filter: EventFilter
  /** No word is taken for a slip of another. */
  readonly asIs: boolean
  /** Which days are searched. */
  readonly span: Span
  /** By whose clock it names times. */
  readonly zone: string
}

/** What a search sends; kinds stand for all their tags. */
export function toSearchRequest({ query, filter, asIs, span, zone }: Asking): RequestOf<typeof search> {
  const tags = EVENT_TAGS.filter(({ id, kind }) => filter.tags.includes(id) || isKind(filter, kind))
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

const isKind = ({ kinds }: EventFilter, kind: string) => kinds.some((chosen) => chosen === kind)

/** Results that show one of the chosen people, seen or not as chosen: what a question cannot say. */
export function narrowed(matches: readonly Match[], { people, seen }: EventFilter): readonly Match[] {
  if (people.length === 0 && seen === null) return matches
  return matches.filter(({ event }) => passes(event, { ...DEFAULT_FILTER, people, seen }))
}

/** What a filter asks of a search besides cameras and days, in words. */
export function conditions({ kinds, tags, seen }: EventFilter): string[] {
  const general: Readonly<Record<string, string>> = { motion: 'Motion', sound: 'Sound', face: 'Face' }
  const named = EVENT_TAGS.filter(({ id }) => tags.includes(id)).map(({ name }) => name)
  const words = [...kinds.map((kind) => general[kind] ?? kind), ...named]
  return seen === null ? words : [...words, seen ? 'Seen' : 'Not seen']
}

/** At most so many suggestions stand under the field. */
const SUGGESTIONS_MAX = 6

/** The entries that hold what is typed, those that begin with it first; upper and lower case are the same. */
export function suggestionsFor(typed: string, ...lists: readonly (readonly string[])[]): string[] {
  const part = typed.trim().toLowerCase()
  if (part === '') return []
  const all = new Map(lists.flat().map((entry) => [entry.toLowerCase(), entry]))
  const places = [...all].map(([entry, words]) => ({ words, place: entry === part ? -1 : entry.indexOf(part) }))
  return places
    .filter(({ place }) => place >= 0)
    .toSorted((a, b) => Math.sign(a.place) - Math.sign(b.place))
    .slice(0, SUGGESTIONS_MAX)
    .map(({ words }) => words)
}
