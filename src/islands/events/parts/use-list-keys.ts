import { type FocusEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { toggleEventSelection } from '../../../stores/events/event-selection.ts'
import type { DayBlock } from './list-layout.ts'

const findEventId = (target: EventTarget) =>
  target instanceof Element ? (target.closest<HTMLElement>('[data-event]')?.dataset['event'] ?? null) : null

/**
 * Handles the keys of the list: Up and Down, Home and End move the focus between events, and X selects. Only one event
 * is in the tab order.
 */
export function useListKeys(blocks: readonly DayBlock[], reveal: (eventId: string) => void) {
  const [tabStop, setTabStop] = useState<string | null>(null)
  const pendingFocus = useRef<string | null>(null)

  useEffect(() => {
    if (!pendingFocus.current) return
    const card = document.querySelector<HTMLElement>(`[data-event="${pendingFocus.current}"]`)
    if (!card) return
    pendingFocus.current = null
    card.focus({ preventScroll: true })
  })

  function onKeyDown(key: KeyboardEvent): void {
    const id = findEventId(key.target)
    if (id && key.key === 'x' && !key.ctrlKey && !key.metaKey && !key.altKey) return toggleEventSelection(id)
    const events = blocks.flatMap((block) => block.rows.map((row) => row.event))
    const at = events.findIndex((event) => event.event_id === id)
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: events.length - 1 }[key.key]
    const event = next === undefined || at < 0 ? undefined : events[next]
    if (!event) return
    key.preventDefault()
    pendingFocus.current = event.event_id
    setTabStop(event.event_id)
    reveal(event.event_id)
  }

  const onFocus = (focus: FocusEvent) => setTabStop(findEventId(focus.target))
  return { tabStop, onKeyDown, onFocus }
}
