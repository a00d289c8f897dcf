import { useStore } from '@nanostores/react'
import { useState } from 'react'
import type { Event } from '../../../../contract/events/events.ts'
import { EVENT_MS, isNews, PAGE_MS, turnAt, type WallPageTurn } from '../../../domain/live/wall-pages.ts'
import { $today } from '../../../stores/live/today-events.ts'

/**
 * Returns the current page of the wall. The page does not change while paused or during an event; after that it stays
 * for its full time.
 */
export function useTurns(pages: number, now: number, isHeld: boolean) {
  const [turn, setTurn] = useState<WallPageTurn>(() => ({ page: 0, dueAt: now + PAGE_MS }))
  const [isPaused, setPaused] = useState(false)
  const page = turn.page < pages ? turn.page : 0
  const held = isPaused || isHeld
  const next = held ? { page, dueAt: Math.max(turn.dueAt, now + PAGE_MS) } : turnAt({ ...turn, page }, pages, now)
  if (next.page !== turn.page || next.dueAt !== turn.dueAt) setTurn(next)
  return { turn: next, isPaused, pause: () => setPaused(!isPaused) }
}

/** Returns the newest event that happened while the wall was open, until 20 s after it arrived; else null. */
export function useNews(now: number): Event | null {
  const today = useStore($today)
  const last = today?.[0] ?? null
  // null until today's events have loaded: events from before the wall opened are not news. '' on a day without events.
  const id = today && (last?.event_id ?? '')
  const [latest, setKnown] = useState({ id, until: 0 })
  if (id !== null && id !== latest.id) {
    const until = latest.id !== null && last && isNews(last.event_ts, now) ? now + EVENT_MS : 0
    setKnown({ id, until })
  }
  return last && now < latest.until ? last : null
}
