import { request } from '../../api/api-client.ts'
import { toSpan } from '../../domain/time/date-range.ts'
import { toDay } from '../../domain/time/local-time.ts'
import { isFreeEvent } from '../../domain/events/event-types.ts'
import { eventsRequest } from '../../early/requests/events.ts'
import { createEventList } from '../events/event-list.ts'
import type { Ask } from '../events/load-event-span.ts'
import { onFeed } from '../home/feed.ts'
import { onFeedBreak } from '../home/feed-reconnect.ts'
import { $isTodayLost, $today } from './today-events.ts'
import { $isFreeView } from '../home/devices.ts'

/** Requests the event history in the paid view, the event list in the free view (OPEN-62). */
const fetchEvents: Ask = async (span) => {
  const { call, input } = eventsRequest(span, $isFreeView.get())
  const answer = await request(call, input)
  return answer.ok ? { ok: true, data: answer.data.event_list } : answer
}

const list = createEventList({
  ask: fetchEvents,
  now: Date.now,
  accepts: (event) => !$isFreeView.get() || isFreeEvent(event),
  isOpen: () => true,
  // Only the strip of today's events shows the failure (OPEN-133).
  onFailure: () => undefined,
})

let day = ''

function load(): void {
  if (day === toDay(Date.now())) return
  day = toDay(Date.now())
  void list.load(toSpan({ start: day, end: day, hours: [0, 23] }), { quiet: true })
}

export function reloadToday(): void {
  day = ''
  load()
}

/** Keeps `$today` up to date, also past midnight. Returns a function that stops it. */
export function watchToday(): () => void {
  day = ''
  load()
  const timer = setInterval(load, 60_000)
  const stops = [
    list.$list.listen((state) => {
      $today.set(state.state === 'ready' ? state.events : null)
      $isTodayLost.set(state.state === 'failed')
    }),
    onFeed((message) => list.hear(message)),
    onFeedBreak(reloadToday),
    $isFreeView.listen(reloadToday),
  ]
  return () => {
    clearInterval(timer)
    stops.forEach((stop) => stop())
  }
}
