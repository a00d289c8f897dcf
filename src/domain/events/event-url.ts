import { DEFAULT_CALENDAR_TYPE, SEARCH_QUESTION_MAX } from '../../../contract/wire/constants.ts'
import { type DateRange, type Hours, isDay, isHours, quickRange, toSpan } from '../time/date-range.ts'
import type { EventFilter } from './event-filter.ts'
import { isFilterKind, isTagId } from './event-types.ts'

/** The event whose clip is open, and its camera (EVENT-09), '' when the address does not say. */
export interface OpenEvent {
  readonly eventId: string
  readonly deviceId: string
  /** The second of the clip that a link leads to. */
  readonly at?: number
}

export interface EventAddress {
  readonly filter: EventFilter
  readonly open: OpenEvent | null
  /** The moment, ms UTC, that all cameras are looked at in step; left out where that view is closed. */
  readonly moment?: number
  /** What is searched for, '' while nothing is asked yet; left out where the search is closed. */
  readonly search?: string
  /** How the results are sorted; left out: the best first. */
  readonly sort?: 'newest' | 'oldest'
  /** Whether its words are looked for as they are written; left out: one that nothing says may be a slip of another. */
  readonly asWritten?: true
}

export const DEFAULT_FILTER: EventFilter = {
  range: DEFAULT_CALENDAR_TYPE,
  cameras: [],
  kinds: [],
  tags: [],
  people: [],
  hour: null,
  seen: null,
}

/** Names on the wire are no longer. */
const PERSON_MAX = 80
const SEEN: ReadonlyMap<string, boolean> = new Map([
  ['yes', true],
  ['no', false],
])

/** Reads the query of `/events`; whatever makes no sense counts as not there. */
export function parseEventAddress(search: string): EventAddress {
  const query = new URLSearchParams(search)
  const list = (name: string) => (query.get(name) ?? '').split(',').filter(Boolean)
  const eventId = query.get('event') ?? ''
  return {
    filter: {
      range: parseRange(query),
      cameras: list('cameras').filter((id) => /^\w{1,40}$/.test(id)),
      kinds: list('tags').filter(isFilterKind),
      tags: list('tags').filter(isTagId),
      people: query.getAll('person').filter((name) => name !== '' && name.length <= PERSON_MAX),
      hour: parseHour(query.get('hour')),
      seen: SEEN.get(query.get('seen') ?? '') ?? null,
    },
    ...(/^[\w-]{1,64}$/.test(eventId)
      ? { open: { eventId, deviceId: query.get('camera') ?? '', ...second(query) }, ...moment(query) }
      : { open: null, ...(query.has('at') ? moment(query) : parseSearch(query)) }),
  }
}

/** A moment of any day, ms UTC. */
function moment(query: URLSearchParams): { moment?: number } {
  const at = query.get('at') ?? ''
  return /^\d{12,13}$/.test(at) ? { moment: Number(at) } : {}
}

function parseHour(text: string | null): number | null {
  return text !== null && /^\d{1,2}$/.test(text) && Number(text) < 24 ? Number(text) : null
}

/** The search, which an open clip covers. */
function parseSearch(query: URLSearchParams): Pick<EventAddress, 'search' | 'sort' | 'asWritten'> {
  const search = query.get('search')
  const sort = query.get('sort')
  if (search === null) return {}
  return {
    search: search.trim().slice(0, SEARCH_QUESTION_MAX),
    ...((sort === 'newest' || sort === 'oldest') && { sort }),
    ...(query.get('as') === 'written' && { asWritten: true }),
  }
}

/** A moment in the clip, in seconds with one decimal. */
function second(query: URLSearchParams): { at?: number } {
  const at = query.get('t') ?? ''
  return /^\d{1,5}(\.\d)?$/.test(at) && Number(at) > 0 ? { at: Number(at) } : {}
}

function parseRange(query: URLSearchParams): EventFilter['range'] {
  const [start, end] = [query.get('from') ?? '', query.get('to') ?? '']
  if (isDay(start) && isDay(end) && start <= end) {
    const hours = (query.get('hours') ?? '').split('-').map(Number) as unknown as Hours
    return { start, end, hours: hours.length === 2 && isHours(hours) ? hours : [0, 23] }
  }
  return query.get('days') === '60' ? 60 : DEFAULT_CALENDAR_TYPE
}

/** The query, `?` included, that `parseEventAddress` reads back; '' for the page as it first opens. */
export function formatEventAddress({ filter, open, moment, search, sort, asWritten }: EventAddress): string {
  const query = new URLSearchParams()
  const { range, cameras, kinds, tags, people, hour, seen } = filter
  if (range === 60) query.set('days', '60')
  if (typeof range === 'object') {
    query.set('from', range.start)
    query.set('to', range.end)
    if (range.start === range.end && (range.hours[0] !== 0 || range.hours[1] !== 23))
      query.set('hours', range.hours.join('-'))
  }
  if (cameras.length > 0) query.set('cameras', cameras.join(','))
  if (kinds.length + tags.length > 0) query.set('tags', [...kinds, ...tags].join(','))
  for (const name of people) query.append('person', name)
  if (hour !== null) query.set('hour', String(hour))
  if (seen !== null) query.set('seen', seen ? 'yes' : 'no')
  if (open) {
    query.set('event', open.eventId)
    if (open.deviceId) query.set('camera', open.deviceId)
    if (open.at) query.set('t', String(open.at))
  }
  if (moment !== undefined) query.set('at', String(Math.round(moment)))
  else if (!open && search !== undefined) {
    query.set('search', search)
    if (sort) query.set('sort', sort)
    if (asWritten) query.set('as', 'written')
  }
  const text = query.toString().replaceAll('%2C', ',')
  return text ? `?${text}` : ''
}

/** What says which events a page shows; `CLIP_NAMES` do so where one is open: /live has a camera of its own. */
const NAMES = ['days', 'from', 'to', 'hours', 'cameras', 'tags', 'person', 'hour', 'seen', 'at', 'search', 'sort', 'as']
const CLIP_NAMES = ['event', 'camera', 't']

/** The query of a page, `?` included, once it says `address`; what is not about events stays in it. */
export function changedQuery(query: string, address: EventAddress): string {
  const others = new URLSearchParams(query)
  for (const name of others.has('event') ? [...CLIP_NAMES, ...NAMES] : NAMES) others.delete(name)
  const [otherQuery, own] = [others.toString(), formatEventAddress(address)]
  return otherQuery ? `?${otherQuery}${own.replace('?', '&')}` : own
}

/** The days that a filter asks for at `now` (ms UTC). */
export function resolveRange({ range }: Pick<EventFilter, 'range'>, now: number): DateRange {
  return typeof range === 'object' ? range : quickRange(range, now)
}

/** Whether the days of a filter, as they are at `now` (ms UTC), hold `time` (ms UTC). */
export function holdsTime(filter: EventFilter, time: number, now: number): boolean {
  const { begin, end } = toSpan(resolveRange(filter, now))
  return time >= begin && time <= end
}
