import { EVENT_QUERY_COUNT, ORDER_NEWEST_FIRST } from '../../../contract/constants.ts'
import { eventHistory, getEventList } from '../../../contract/events.ts'
import { request } from '../../api/client.ts'
import { dayOf, spanOf } from '../../domain/date-range.ts'
import { isFreeEvent } from '../../domain/event-types.ts'
import { createEventList } from '../events/event-list.ts'
import type { Ask } from '../events/event-loading.ts'
import { onFeed } from '../home/feed.ts'
import { $today } from './live-today.ts'
import { $isNoServices } from '../account/subscriptions.ts'

/** The paid view asks for the history, the free one for the list (OPEN-62). */
const ask: Ask = async ({ begin, end }) => {
  const call = $isNoServices.get() ? getEventList : eventHistory
  const newest = { count: EVENT_QUERY_COUNT, order_by: ORDER_NEWEST_FIRST } as const
  const answer = await request(call, {
    begin_time: begin,
    end_time: end,
    ...newest,
    device_id_list: [],
    event_tag_list: [],
    event_value_list: [],
  })
  return answer.ok ? { ok: true, data: answer.data.event_list } : answer
}

const list = createEventList({ ask, now: Date.now, accepts: (event) => !$isNoServices.get() || isFreeEvent(event) })

/** Keeps `$today` up to date, over midnight too. Ends with the returned function. */
export function followToday(): () => void {
  let day = ''
  const load = () => {
    if (day === dayOf(Date.now())) return
    day = dayOf(Date.now())
    void list.load(spanOf({ start: day, end: day, hours: [0, 23] }), { quiet: true })
  }
  const again = () => {
    day = ''
    load()
  }
  load()
  const timer = setInterval(load, 60_000)
  const stops = [
    list.$list.listen((state) => $today.set(state.state === 'ready' ? state.events : null)),
    onFeed((message) => list.hear(message)),
    $isNoServices.listen(again),
  ]
  return () => {
    clearInterval(timer)
    stops.forEach((stop) => stop())
  }
}
