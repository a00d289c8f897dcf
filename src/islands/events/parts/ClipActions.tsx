import Trash2 from 'lucide-react/icons/trash-2'
import type { Event } from '../../../../contract/events/events.ts'
import { closeEvent, openEvent } from '../../../stores/events/event-url.ts'
import { deleteEventsOfOwner } from '../../../stores/events/event-deletion.ts'
import { $filteredEvents } from '../../../stores/events/events.ts'
import { useIsOnline } from '../../../ui/use-online.ts'
import { DownloadClip } from './DownloadClip.tsx'
import { findAdjacentEvents } from './adjacent-events.ts'
import { ShareClip } from './ShareClip.tsx'

interface ClipActionsProps {
  readonly event: Event
  readonly camera: string
  readonly isOwner: boolean
  readonly hasClip: boolean
}

/** Actions for the clip, most frequent first. The delete action is last and has no fill. */
export function ClipActions({ event, camera, isOwner, hasClip }: ClipActionsProps) {
  const isOnline = useIsOnline()
  // Reserves the places of the other actions while the clip loads.
  const isExpected = !hasClip && event.event_resources.length > 0
  return (
    <div role="group" aria-label="Clip actions" className="clip-actions">
      {hasClip && <DownloadClip event={event} camera={camera} />}
      {hasClip && <ShareClip event={event} camera={camera} />}
      {isExpected && <span className="clip-action skeleton" aria-hidden />}
      {isExpected && <span className="clip-action skeleton" aria-hidden />}
      {isOwner && (
        <button
          type="button"
          className="clip-action clip-delete"
          aria-disabled={!isOnline}
          aria-describedby={isOnline ? undefined : 'clip-offline'}
          onClick={() => isOnline && void deleteOpenEvent(event)}
        >
          <Trash2 size={18} aria-hidden />
          Delete
        </button>
      )}
      {isOwner && !isOnline && (
        <p id="clip-offline" role="status" className="clip-note">
          You’re offline. Reconnect to delete this clip.
        </p>
      )}
    </div>
  )
}

async function deleteOpenEvent(event: Event): Promise<void> {
  const { earlier } = findAdjacentEvents($filteredEvents.get(), event.event_id)
  if (earlier) openEvent({ eventId: earlier.event_id, deviceId: earlier.device_id })
  else closeEvent()
  await deleteEventsOfOwner([event])
}
