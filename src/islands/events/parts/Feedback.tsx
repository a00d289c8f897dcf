import { useStore } from '@nanostores/react'
import ThumbsDown from 'lucide-react/icons/thumbs-down'
import ThumbsUp from 'lucide-react/icons/thumbs-up'
import { useRef } from 'react'
import type { Event } from '../../../../contract/events/events.ts'
import { $feedbackSwitch, $eventVerdicts, sendEventVerdict } from '../../../stores/events/event-feedback.ts'
import { useIsOnline } from '../../../ui/use-online.ts'
import { SendClip } from './SendClip.tsx'

export function Feedback({ event, isOwner }: { event: Event; isOwner: boolean }) {
  const verdict = useStore($eventVerdicts)[event.event_id] ?? 'none'
  const isAsked = useStore($feedbackSwitch)
  const isOnline = useIsOnline()
  const vote = (choice: 'right' | 'wrong') => isOnline && void sendEventVerdict(event, choice)
  const dialog = useRef<HTMLDialogElement>(null)
  if (!isAsked) return null
  return (
    <div
      role="group"
      aria-label="Is this label right?"
      className="max-md:bg-sunken mt-4 flex flex-wrap items-center gap-2 rounded-[14px] bg-white/6 p-3"
    >
      <p className="text-[14px] font-bold">Is this label right?</p>
      <span className="ml-auto flex gap-1">
        <button
          type="button"
          className="icon-btn max-md:text-ink-2!"
          aria-label="Yes"
          aria-pressed={verdict === 'right'}
          aria-disabled={!isOnline}
          onClick={() => vote('right')}
        >
          <ThumbsUp size={18} fill={verdict === 'right' ? 'currentColor' : 'none'} aria-hidden />
        </button>
        <button
          type="button"
          className="icon-btn max-md:text-ink-2!"
          aria-label="No"
          aria-pressed={verdict === 'wrong'}
          aria-disabled={!isOnline}
          onClick={() => vote('wrong')}
        >
          <ThumbsDown size={18} fill={verdict === 'wrong' ? 'currentColor' : 'none'} aria-hidden />
        </button>
      </span>
      {!isOnline && (
        <p className="text-small text-stage-text-2 max-md:text-ink-2 w-full">You’re offline. Reconnect to answer.</p>
      )}
      {isOnline && verdict !== 'none' && (
        <p role="status" className="text-small text-stage-text-2 max-md:text-ink-2 w-full">
          Saved. Select your answer again to undo.
        </p>
      )}
      {verdict === 'wrong' && isOwner && event.event_resources.length > 0 && (
        <button type="button" className="btn btn-dark btn-sm w-full" onClick={() => dialog.current?.showModal()}>
          Send clip for review
        </button>
      )}
      <SendClip event={event} dialog={dialog} />
    </div>
  )
}
