import { DEFAULT_CALENDAR_TYPE, SEARCH_QUERY_MAX_CHARS } from '../../../contract/wire/constants.ts'
import { type DateRange, type HourRange, isDay, isHourRange, toDateRange, toSpan } from '../time/date-range.ts'
import type { EventFilter } from './event-filter.ts'
import { isFilterKind, isTagId } from './event-types.ts'

/** Open event and its camera (EVENT-09). `deviceId` is '' if the URL does not name a camera. */
export interface OpenEventRef {
  readonly eventId: string
  readonly deviceId: string
  /** Start position in the clip, in seconds. */
  readonly at?: number
}

export interface EventsPageState {
  readonly filter: EventFilter
  readonly open: OpenEventRef | null
  /** Moment of synced playback, ms UTC; absent if that view is closed. */
  readonly moment?: number
  /** Search query, '' if none is entered yet; absent if the search is closed. */
  readonly search?: string
  /** Sort order of the results; absent: best first. */
  readonly sort?: 'newest' | 'oldest'
  /** Turns off spelling correction; absent: unmatched words may be corrected. */
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

/** Maximum length of an event value in the API. Event values include the names of people. */
const PERSON_NAME_MAX_CHARS = 80
const SEEN_VALUES: ReadonlyMap<string, boolean> = new Map([
  ['yes', true],
  ['no', false],
])

/** Parses the query string of `/events` and ignores invalid values. */
export function parseEventsQuery(search: string): EventsPageState {
  const query = new URLSearchParams(search)
  const parseList = (name: string) => (query.get(name) ?? '').split(',').filter(Boolean)
  const eventId = query.get('event') ?? ''
  return {
    filter: {
      range: parseRange(query),
      cameras: parseList('cameras').filter((id) => /^\w{1,40}$/.test(id)),
      kinds: parseList('tags').filter(isFilterKind),
      tags: parseList('tags').filter(isTagId),
      people: query.getAll('person').filter((name) => name !== '' && name.length <= PERSON_NAME_MAX_CHARS),
      hour: parseHour(query.get('hour')),
      seen: SEEN_VALUES.get(query.get('seen') ?? '') ?? null,
    },
    ...(/^[\w-]{1,64}$/.test(eventId)
      ? { open: { eventId, deviceId: query.get('camera') ?? '', ...parseClipPosition(query) }, ...parseMoment(query) }
      : { open: null, ...(query.has('at') ? parseMoment(query) : parseSearch(query)) }),
  }
}

function parseMoment(query: URLSearchParams): { moment?: number } {
  const at = query.get('at') ?? ''
  return /^\d{12,13}$/.test(at) ? { moment: Number(at) } : {}
}

function parseHour(text: string | null): number | null {
  return text !== null && /^\d{1,2}$/.test(text) && Number(text) < 24 ? Number(text) : null
}

function parseSearch(query: URLSearchParams): Pick<EventsPageState, 'search' | 'sort' | 'asWritten'> {
  const search = query.get('search')
  const sort = query.get('sort')
  if (search === null) return {}
  return {
    search: search.trim().slice(0, SEARCH_QUERY_MAX_CHARS),
    ...((sort === 'newest' || sort === 'oldest') && { sort }),
    ...(query.get('as') === 'written' && { asWritten: true }),
  }
}

function parseClipPosition(query: URLSearchParams): { at?: number } {
  const at = query.get('t') ?? ''
  return /^\d{1,5}(\.\d)?$/.test(at) && Number(at) > 0 ? { at: Number(at) } : {}
}

function parseRange(query: URLSearchParams): EventFilter['range'] {
  const [start, end] = [query.get('from') ?? '', query.get('to') ?? '']
  if (isDay(start) && isDay(end) && start <= end) {
    const hours = (query.get('hours') ?? '').split('-').map(Number) as unknown as HourRange
    return { start, end, hours: hours.length === 2 && isHourRange(hours) ? hours : [0, 23] }
  }
  return query.get('days') === '60' ? 60 : DEFAULT_CALENDAR_TYPE
}

/** Returns the query string, with `?`, for `parseEventsQuery`; '' for the default state. */
export function formatEventsQuery({ filter, open, moment, search, sort, asWritten }: EventsPageState): string {
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

/**
 * Query parameters of the events page. Those in `CLIP_PARAM_NAMES` count only while a clip is open, because /live has
 * its own `camera` parameter.
 */
const QUERY_PARAM_NAMES = [
  'days',
  'from',
  'to',
  'hours',
  'cameras',
  'tags',
  'person',
  'hour',
  'seen',
  'at',
  'search',
  'sort',
  'as',
]
const CLIP_PARAM_NAMES = ['event', 'camera', 't']

/** Returns the query string, with `?`, updated to `state`; parameters unrelated to events stay. */
export function updateEventsQuery(query: string, state: EventsPageState): string {
  const others = new URLSearchParams(query)
  for (const name of others.has('event') ? [...CLIP_PARAM_NAMES, ...QUERY_PARAM_NAMES] : QUERY_PARAM_NAMES)
    others.delete(name)
  const [otherQuery, own] = [others.toString(), formatEventsQuery(state)]
  return otherQuery ? `?${otherQuery}${own.replace('?', '&')}` : own
}

/** Returns the days of a filter at `now` (ms UTC). */
export function resolveRange({ range }: Pick<EventFilter, 'range'>, now: number): DateRange {
  return typeof range === 'object' ? range : toDateRange(range, now)
}

/** Returns true if the days of a filter at `now` (ms UTC) contain `time` (ms UTC). */
export function includesTime(filter: EventFilter, time: number, now: number): boolean {
  const { begin, end } = toSpan(resolveRange(filter, now))
  return time >= begin && time <= end
}
