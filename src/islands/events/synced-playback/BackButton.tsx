import { useStore } from '@nanostores/react'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import { $isClipOpen } from '../../../stores/events/event-url.ts'
import { $openedEvent, closeSyncedPlayback } from '../../../stores/events/synced-playback.ts'

export function BackButton() {
  const event = useStore($openedEvent)
  const hasClip = useStore($isClipOpen)
  return (
    <button type="button" className="btn btn-dark same-time-back" title="Back (Esc)" onClick={closeSyncedPlayback}>
      <ChevronLeft size={20} aria-hidden />
      {event?.title ?? (hasClip ? 'Clip' : 'Events')}
    </button>
  )
}
