import { EVENT_QUERY_COUNT, ORDER_NEWEST_FIRST } from '../../../contract/wire/constants.ts'
import { eventHistory, type EventListRequest, getEventList } from '../../../contract/events/events.ts'
import type { AnyQuestion, EarlyRequest } from '../early-request.ts'

/** ms UTC, both ends included. */
interface Span {
  readonly begin: number
  readonly end: number
}

/** Everything of a span, newest first: cameras and tags are chosen in the page, at once and without a further question. */
const EVERYTHING: Omit<EventListRequest, 'begin_time' | 'end_time'> = {
  count: EVENT_QUERY_COUNT,
  device_id_list: [],
  event_tag_list: [],
  event_value_list: [],
  order_by: ORDER_NEWEST_FIRST,
}

const selectCall = (isFree: boolean) => (isFree ? getEventList : eventHistory)

const toEventInput = (
  { begin, end }: Span,
  { everything }: { readonly everything: typeof EVERYTHING },
): EventListRequest => ({ begin_time: begin, end_time: end, ...everything })

/** The question for the events of a span: the paid view asks for the history, the free one for the list (OPEN-62). */
export const eventsRequest = (span: Span, isFree: boolean) => ({
  call: selectCall(isFree),
  input: toEventInput(span, { everything: EVERYTHING }),
})

type View = EarlyRequest<
  typeof eventHistory,
  Span,
  { readonly isFree: boolean; readonly everything: typeof EVERYTHING }
>

/** Today, with which the list begins unless the address names its days (src/domain/events/event-url.ts). */
// @__NO_SIDE_EFFECTS__
const today = (isFree: boolean): View => ({
  call: selectCall(isFree),
  fixed: { isFree, everything: EVERYTHING },
  about: ({ now, search, isFree: wasFree }, { isFree }) =>
    wasFree !== isFree || new URLSearchParams(search).has('from')
      ? null
      : { begin: new Date(now).setHours(0, 0, 0, 0), end: new Date(now).setHours(23, 59, 59, 999) },
  input: toEventInput,
  // It is as large as those that follow: they come once the list is drawn, so that the scripts come first.
  pictures: ({ event_list }) => event_list.slice(0, 1).map(({ event_id }) => `/m/thumb/${event_id}`),
})

/** What /events asks first: one of the two, by what the last visit was told of the plan. */
export const EVENTS: readonly AnyQuestion[] = [today(false), today(true)]
