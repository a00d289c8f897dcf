import { useStore } from '@nanostores/react'
import { useState } from 'react'
import type { Event } from '../../../../contract/events/events.ts'
import {
  EVENT_DURATION_MS,
  isNewEvent,
  PAGE_DURATION_MS,
  advancePage,
  type WallPageTurn,
} from '../../../domain/live/wall-pages.ts'
import { $todayEvents } from '../../../stores/live/today-events.ts'

/**
 * Returns the current turn, `isPaused`, and `pause`, which pauses or resumes the rotation. The page does not change
 * while the rotation is paused or an event is shown. Afterwards, the page stays for another `PAGE_DURATION_MS`.
 */
export function usePageRotation(pageCount: number, now: number, isEventShown: boolean) {
  const [turn, setTurn] = useState<WallPageTurn>(() => ({ page: 0, dueAt: now + PAGE_DURATION_MS }))
  const [isPaused, setPaused] = useState(false)
  const page = turn.page < pageCount ? turn.page : 0
  const isStopped = isPaused || isEventShown
  const next = isStopped
    ? { page, dueAt: Math.max(turn.dueAt, now + PAGE_DURATION_MS) }
    : advancePage({ ...turn, page }, pageCount, now)
  if (next.page !== turn.page || next.dueAt !== turn.dueAt) setTurn(next)
  return { turn: next, isPaused, pause: () => setPaused(!isPaused) }
}

/**
 * Returns the newest event for `EVENT_DURATION_MS` after it arrives, if it arrives while the wall is open and is less
 * than a minute old; else null.
 */
export function useNewEvent(now: number): Event | null {
  const today = useStore($todayEvents)
  const last = today?.[0] ?? null
  // The id is null until today's events load, so that events from before the wall opened do not count as new. It is ''
  // if there are no events today.
  const id = today && (last?.event_id ?? '')
  const [latest, setLatest] = useState({ id, until: 0 })
  if (id !== null && id !== latest.id) {
    const until = latest.id !== null && last && isNewEvent(last.event_ts, now) ? now + EVENT_DURATION_MS : 0
    setLatest({ id, until })
  }
  return last && now < latest.until ? last : null
}
