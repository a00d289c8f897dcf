import { useStore } from '@nanostores/react'
import { SkipBack, SkipForward } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Event } from '../../../../contract/events.ts'
import { $address, openEvent } from '../../../stores/event-address.ts'
import { $shown } from '../../../stores/events.ts'

/** The events before and after the open one, in time, among those that the list shows. */
function useNeighbours(): { earlier: Event | undefined; later: Event | undefined } {
  const shown = useStore($shown)
  const openId = useStore($address).open?.eventId
  const at = shown.findIndex((event) => event.event_id === openId)
  return { earlier: at < 0 ? undefined : shown[at + 1], later: at < 0 ? undefined : shown[at - 1] }
}

const open = (event: Event | undefined) => event && openEvent({ eventId: event.event_id, deviceId: event.device_id })

/** Buttons to the previous and the next event, around `children`. */
export function NextEvents({ size, children }: { size: number; children?: ReactNode }) {
  const { earlier, later } = useNeighbours()
  return (
    <>
      <button
        type="button"
        className="transport"
        aria-label="Previous event"
        title="Previous event"
        disabled={!earlier}
        onClick={() => open(earlier)}
      >
        <SkipBack size={size} aria-hidden />
      </button>
      {children}
      <button
        type="button"
        className="transport"
        aria-label="Next event"
        title="Next event"
        disabled={!later}
        onClick={() => open(later)}
      >
        <SkipForward size={size} aria-hidden />
      </button>
    </>
  )
}
