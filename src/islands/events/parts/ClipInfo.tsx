import { useStore } from '@nanostores/react'
import { Download } from 'lucide-react'
import type { Event } from '../../../../contract/events.ts'
import { clipOf } from '../../../domain/clip-resource.ts'
import { whenLabel } from '../../../domain/event-labels.ts'
import { eventTags } from '../../../domain/event-types.ts'
import { $cameraNames } from '../../../stores/event-cameras.ts'
import { tagIcon } from './tag-icons.ts'
import { useNow } from './use-now.ts'

/** What, where and when, the tags, and what can be done with the clip. On a phone a sheet below the player. */
export function ClipInfo({ event, canDownload }: { event: Event; canDownload: boolean }) {
  const camera = useStore($cameraNames).get(event.device_id)
  const when = whenLabel(event.event_ts, clipOf(event)?.resource.end_time ?? null, useNow())
  return (
    <div className="flex min-w-0 flex-col max-md:flex-1 max-md:rounded-t-[24px] max-md:bg-page max-md:p-4 max-md:pt-5 max-md:text-ink md:pt-1 lg:max-xl:relative lg:max-xl:pt-3">
      <h2 className="pr-12 text-[22px]!">{event.title}</h2>
      <p className="text-[14px] text-stage-text-2 max-md:text-ink-2">
        {camera && `${camera} · `}
        {when}
      </p>
      <ul className="mt-3 flex flex-wrap gap-2" aria-label="Tags">
        {eventTags(event).map((tag) => {
          const Icon = tagIcon(tag.icon)
          return (
            <li
              key={tag.id}
              className="flex h-[30px] items-center gap-1.5 rounded-full border border-white/14 px-3 text-small font-bold text-stage-text-2 max-md:border-line-strong max-md:bg-surface max-md:text-ink-2"
            >
              <Icon size={15} aria-hidden />
              {tag.name}
            </li>
          )
        })}
      </ul>
      {canDownload && (
        <a
          href={`/m/clip/${event.event_id}`}
          download={`${event.event_id}.mp4`}
          className="btn btn-white mt-4 max-md:border-line! max-md:bg-surface! max-md:text-ink! md:max-lg:mt-auto lg:max-xl:absolute lg:max-xl:top-3 lg:max-xl:right-0 lg:max-xl:mt-0 xl:mt-auto"
        >
          <Download size={18} aria-hidden />
          Download
        </a>
      )}
    </div>
  )
}
