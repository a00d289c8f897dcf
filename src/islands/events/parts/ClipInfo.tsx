import { useStore } from '@nanostores/react'
import Trash2 from 'lucide-react/icons/trash-2'
import type { Event } from '../../../../contract/events.ts'
import { clipOf } from '../../../domain/clip-resource.ts'
import { whenLabel } from '../../../domain/dates.ts'
import { eventTags } from '../../../domain/event-types.ts'
import { closeEvent, openEvent } from '../../../stores/events/event-address.ts'
import { $cameraNames, $cameras } from '../../../stores/events/event-cameras.ts'
import { deleteSelected } from '../../../stores/events/event-deletion.ts'
import { $shown } from '../../../stores/events/events.ts'
import { Companions } from './Companions.tsx'
import { DownloadClip } from './DownloadClip.tsx'
import { Feedback } from './Feedback.tsx'
import { neighbours } from './neighbours.ts'
import { tagIcon } from './tag-icons.ts'
import { useNow } from './use-now.ts'

/** What, where and when, the tags, and what can be done with the clip. On a phone a sheet below the player. */
export function ClipInfo({ event, canDownload }: { event: Event; canDownload: boolean }) {
  const camera = useStore($cameraNames).get(event.device_id)
  const isOwner = useStore($cameras).some(
    ({ device_id, user_role }) => device_id === event.device_id && user_role === 1,
  )
  const when = whenLabel(event.event_ts, clipOf(event)?.resource.end_time ?? null, useNow())
  return (
    <div className="max-md:bg-page max-md:text-ink flex min-w-0 flex-col max-md:flex-1 max-md:rounded-t-[24px] max-md:p-4 max-md:pt-5 md:pt-1 lg:max-xl:relative lg:max-xl:pt-3">
      <h2 className="pr-12 text-[22px]!">{event.title}</h2>
      <p className="text-stage-text-2 max-md:text-ink-2 text-[14px]">
        {camera && `${camera} · `}
        {when}
      </p>
      <ul className="mt-3 flex flex-wrap gap-2" aria-label="Tags">
        {eventTags(event).map((tag) => {
          const Icon = tagIcon(tag.icon)
          return (
            <li
              key={tag.id}
              className="text-small text-stage-text-2 max-md:border-line-strong max-md:bg-surface max-md:text-ink-2 flex h-[30px] items-center gap-1.5 rounded-full border border-white/14 px-3 font-bold"
            >
              <Icon size={15} aria-hidden />
              {tag.name}
            </li>
          )
        })}
      </ul>
      <Companions event={event} />
      <Feedback key={`feedback-${event.event_id}`} event={event} isOwner={isOwner} />
      {isOwner && (
        <button
          type="button"
          className="btn btn-dark max-md:border-line! max-md:bg-surface! max-md:text-error-ink! mt-4 self-start text-[#ff9aa5]! max-md:self-stretch"
          onClick={() => void deleteOpen(event)}
        >
          <Trash2 size={18} aria-hidden />
          Delete
        </button>
      )}
      {canDownload && (
        <DownloadClip
          key={`download-${event.event_id}`}
          event={event}
          camera={camera ?? ''}
          className="max-md:border-line! max-md:bg-surface! max-md:text-ink! mt-4 md:max-lg:mt-auto lg:max-xl:absolute lg:max-xl:top-3 lg:max-xl:right-0 lg:max-xl:mt-0 xl:mt-auto"
        />
      )}
    </div>
  )
}

/** Deletes the open event and shows the one before it. */
async function deleteOpen(event: Event): Promise<void> {
  const { earlier } = neighbours($shown.get(), event.event_id)
  if (earlier) openEvent({ eventId: earlier.event_id, deviceId: earlier.device_id })
  else closeEvent()
  await deleteSelected([event])
}
