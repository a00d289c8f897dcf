import { useStore } from '@nanostores/react'
import SkipBack from 'lucide-react/icons/skip-back'
import SkipForward from 'lucide-react/icons/skip-forward'
import type { ReactNode } from 'react'
import { $openEventId } from '../../../stores/events/event-url.ts'
import { $filteredEvents } from '../../../stores/events/events.ts'
import { findAdjacentEvents, openAdjacentEvent } from './adjacent-events.ts'

export function EventNavigation({ size, children }: { size: number; children?: ReactNode }) {
  const events = useStore($filteredEvents)
  const openId = useStore($openEventId)
  const { earlier, later } = findAdjacentEvents(events, openId)
  return (
    <>
      <button
        type="button"
        className="transport"
        aria-label="Previous event"
        title="Previous event (P)"
        disabled={!earlier}
        onClick={() => openAdjacentEvent(-1)}
      >
        <SkipBack size={size} aria-hidden />
      </button>
      {children}
      <button
        type="button"
        className="transport"
        aria-label="Next event"
        title="Next event (N)"
        disabled={!later}
        onClick={() => openAdjacentEvent(1)}
      >
        <SkipForward size={size} aria-hidden />
      </button>
    </>
  )
}
