import { request } from '../../api/api-client.ts'
import { toSpan } from '../../domain/time/date-range.ts'
import { toDay } from '../../domain/time/local-time.ts'
import { isFreeEvent } from '../../domain/events/event-types.ts'
import { eventsRequest } from '../../early/requests/events.ts'
import { createEventList } from '../events/event-list.ts'
import type { FetchEventSpan } from '../events/load-event-span.ts'
import { onFeed } from '../home/feed.ts'
import { onFeedReconnect } from '../home/feed-reconnect.ts'
import { $hasTodayFailed, $todayEvents } from './today-events.ts'
import { $isFreeView } from '../home/devices.ts'

const fetchEvents: FetchEventSpan = async (span) => {
  const { call, input } = eventsRequest(span, $isFreeView.get())
  const response = await request(call, input)
  return response.ok ? { ok: true, data: response.data.event_list } : response
}

const todayEventList = createEventList({
  ask: fetchEvents,
  now: Date.now,
  acceptsEvent: (event) => !$isFreeView.get() || isFreeEvent(event),
  includesPresent: () => true,
  // Only the strip of today's events shows the failure (OPEN-133).
  onFailure: () => undefined,
})

let loadedDay = ''

function loadTodayEvents(): void {
  if (loadedDay === toDay(Date.now())) return
  loadedDay = toDay(Date.now())
  void todayEventList.load(toSpan({ start: loadedDay, end: loadedDay, hours: [0, 23] }), { keepsList: true })
}

export function reloadTodayEvents(): void {
  loadedDay = ''
  loadTodayEvents()
}

/** Keeps `$todayEvents` up to date, also past midnight. Returns a function that stops the updates. */
export function watchTodayEvents(): () => void {
  loadedDay = ''
  loadTodayEvents()
  const timer = setInterval(loadTodayEvents, 60_000)
  const stops = [
    todayEventList.$list.listen((state) => {
      $todayEvents.set(state.state === 'ready' ? state.events : null)
      $hasTodayFailed.set(state.state === 'failed')
    }),
    onFeed((message) => todayEventList.applyMessage(message)),
    onFeedReconnect(reloadTodayEvents),
    $isFreeView.listen(reloadTodayEvents),
  ]
  return () => {
    clearInterval(timer)
    stops.forEach((stop) => stop())
  }
}
