import { EVENT_QUERY_COUNT, ORDER_NEWEST_FIRST } from '../../../contract/wire/constants.ts'
import { eventHistory, type EventListRequest, getEventList } from '../../../contract/events/events.ts'
import type { AnyEarlyRequest, EarlyRequest } from '../early-request.ts'

/** Time span, ms UTC, both ends inclusive. */
interface Span {
  readonly begin: number
  readonly end: number
}

/** Parameters that select all events of a span, newest first. The page filters cameras and tags locally. */
const ALL_EVENTS: Omit<EventListRequest, 'begin_time' | 'end_time'> = {
  count: EVENT_QUERY_COUNT,
  device_id_list: [],
  event_tag_list: [],
  event_value_list: [],
  order_by: ORDER_NEWEST_FIRST,
}

const getEventListCall = (isFree: boolean) => (isFree ? getEventList : eventHistory)

const toEventInput = (
  { begin, end }: Span,
  { everything }: { readonly everything: typeof ALL_EVENTS },
): EventListRequest => ({ begin_time: begin, end_time: end, ...everything })

/**
 * Returns the request for the events of a span: event history in the paid view, event list in the free view (OPEN-62).
 */
export const eventsRequest = (span: Span, isFree: boolean) => ({
  call: getEventListCall(isFree),
  input: toEventInput(span, { everything: ALL_EVENTS }),
})

type EventsEarlyRequest = EarlyRequest<
  typeof eventHistory,
  Span,
  { readonly isFree: boolean; readonly everything: typeof ALL_EVENTS },
  { readonly event_list: readonly unknown[] }
>

/**
 * Creates the early request for today's events. Sends nothing if the URL names days, or if the plan of the last visit
 * does not match `isFree`.
 */
// @__NO_SIDE_EFFECTS__
const createTodayRequest = (isFree: boolean): EventsEarlyRequest => ({
  call: getEventListCall(isFree),
  fixed: { isFree, everything: ALL_EVENTS },
  about: ({ now, search, isFree: wasFree }, { isFree }) =>
    wasFree !== isFree || new URLSearchParams(search).has('from')
      ? null
      : { begin: new Date(now).setHours(0, 0, 0, 0), end: new Date(now).setHours(23, 59, 59, 999) },
  input: toEventInput,
  answered: ({ event_list }) => {
    window.earlyEvents = event_list
    dispatchEvent(new Event('porchlight:early-events'))
  },
  // Loads only the first thumbnail early. The other thumbnails load after the list has rendered, so that they do not
  // delay scripts.
  pictures: ({ event_list }) => event_list.slice(0, 1).map(({ event_id }) => `/m/thumb/${event_id}`),
})

/** Early requests of /events; the plan at the last visit selects one of the two. */
export const EVENTS_EARLY_REQUESTS: readonly AnyEarlyRequest[] = [createTodayRequest(false), createTodayRequest(true)]
