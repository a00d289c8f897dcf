import { EVENT_QUERY_COUNT, ORDER_NEWEST_FIRST } from '../../../contract/constants.ts'
import { type EventListRequest, eventHistory } from '../../../contract/events.ts'
import { KEYS } from '../../stores/storage/storage.ts'

interface Facts {
  readonly url: string
  readonly freeViewKey: string
  /** What is asked for, its days aside. */
  readonly input: Omit<EventListRequest, 'begin_time' | 'end_time'>
}

/** Runs inside the document of /events, so it uses nothing from outside: asks for today's events (preload-events.ts). */
function ask({ url, freeViewKey, input }: Facts): void {
  const { early } = window
  if (!early?.ask || localStorage.getItem(freeViewKey)) return
  const begin_time = new Date().setHours(0, 0, 0, 0)
  const end_time = new Date().setHours(23, 59, 59, 999)
  early.events = early.ask(url, { ...input, begin_time, end_time })
}

/** The text of an inline script that starts today's list beside the question who is signed in. */
export const EARLY_EVENTS = `(${ask.toString()})(${JSON.stringify({
  url: `/api/p/${eventHistory.group}${eventHistory.path}`,
  freeViewKey: KEYS.freeView,
  input: {
    count: EVENT_QUERY_COUNT,
    order_by: ORDER_NEWEST_FIRST,
    device_id_list: [],
    event_tag_list: [],
    event_value_list: [],
  },
} satisfies Facts)})`
