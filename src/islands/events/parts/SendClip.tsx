import { useStore } from '@nanostores/react'
import { type RefObject, useState } from 'react'
import type { Event } from '../../../../contract/events/events.ts'
import { BRAND_NAME } from '../../../../contract/brand.ts'
import { $eventTags } from '../../../stores/events/event-tags.ts'
import { $sentFeedbackClips, sendFeedbackClip } from '../../../stores/events/event-feedback.ts'
import { useAction } from '../../../ui/use-action.ts'
import { CheckRow } from '../../../ui/CheckRow.tsx'
import { toggleItem } from '../../../domain/toggle-item.ts'

/**
 * Dialog that asks for the right tags and for consent to send the clip. It names the people who will watch the clip.
 * For a sent clip, the dialog offers to withdraw it.
 */
export function SendClip({ event, dialog }: { event: Event; dialog: RefObject<HTMLDialogElement | null> }) {
  const isSent = useStore($sentFeedbackClips).has(event.event_id)
  const { motion, sound } = useStore($eventTags)
  const [tags, setTags] = useState<readonly string[]>([])
  const [agrees, setAgrees] = useState(false)
  const { isBusy, run } = useAction()

  async function send(stage: 'submit' | 'withdraw'): Promise<void> {
    if (await run(() => sendFeedbackClip(event, tags, stage))) dialog.current?.close()
  }

  return (
    <dialog
      ref={dialog}
      className="bg-surface text-ink shadow-menu m-auto max-w-[min(540px,calc(100vw-32px))] rounded-[24px] p-6 backdrop:bg-[rgb(24_16_34/.58)]"
      aria-labelledby="send-clip"
    >
      <h2 id="send-clip">{isSent ? 'Clip sent' : 'Send this clip?'}</h2>
      {isSent ? (
        <p className="text-ink-2 mt-2">
          If you withdraw the clip, we’ll remove it from review. Your clip stays in your events.
        </p>
      ) : (
        <>
          <p className="text-ink-2 mt-2">
            People who work on {BRAND_NAME} will watch this clip to improve event labels. No one else will see it.
          </p>
          <fieldset className="mt-3">
            <legend className="text-small font-bold">What’s in this clip?</legend>
            <div className="grid grid-cols-2">
              {[...motion, ...sound].map(({ id, name }) => (
                <CheckRow key={id} checked={tags.includes(id)} onChange={() => setTags(toggleItem(tags, id))}>
                  {name}
                </CheckRow>
              ))}
            </div>
          </fieldset>
          <CheckRow checked={agrees} onChange={() => setAgrees(!agrees)}>
            I agree to send this clip
          </CheckRow>
        </>
      )}
      <div className="mt-4 flex justify-end gap-2">
        <button type="button" className="btn" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
        <button
          type="button"
          className="btn btn-primary"
          disabled={isBusy || (!isSent && !agrees)}
          onClick={() => void send(isSent ? 'withdraw' : 'submit')}
        >
          {isSent ? 'Withdraw' : 'Send'}
        </button>
      </div>
    </dialog>
  )
}
