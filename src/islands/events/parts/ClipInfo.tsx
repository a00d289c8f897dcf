import { useStore } from '@nanostores/react'
import type { LucideIcon } from 'lucide-react'
import UserRound from 'lucide-react/icons/user-round'
import { memo, useDeferredValue } from 'react'
import type { Event } from '../../../../contract/events/events.ts'
import { getClip } from '../../../domain/events/event-recording.ts'
import { eventTimeLabel } from '../../../domain/time/date-formats.ts'
import { listPeople } from '../../../domain/events/event-filter.ts'
import { listShownTags, titleLabel } from '../../../domain/events/event-types.ts'
import { findGeneratedName } from '../../../domain/events/unnamed-people.ts'
import { $cameraNames, $eventCameras } from '../../../stores/events/event-cameras.ts'
import { LazyWhoIsThis } from '../person-names/lazy-parts.tsx'
import { ClipActions } from './ClipActions.tsx'
import { ClipHour } from './ClipHour.tsx'
import { SyncedClips } from './SyncedClips.tsx'
import { INFO_CLASSES, TITLE_CLASSES } from './early-stage.ts'
import { Feedback } from './Feedback.tsx'
import { getTagIcon } from './tag-icons.ts'
import { useIsPhone } from '../../../ui/use-media.ts'
import { useNow } from '../../../ui/use-now.ts'

interface ClipInfoProps {
  readonly event: Event
  readonly canDownload: boolean
  /** True once the clip shows a frame. Slow content renders only then. */
  readonly isShown: boolean
}

/** Title, camera, time, tags and actions of the clip. On phones, a sheet below the player shows them. */
export function ClipInfo({ event, canDownload, isShown }: ClipInfoProps) {
  const camera = useStore($cameraNames).get(event.device_id)
  // Deferred, so that the next clip and its title are painted first.
  const details = useDeferredValue(event)
  const when = eventTimeLabel(event.event_ts, getClip(event)?.resource.end_time ?? null, useNow())
  return (
    <div className={INFO_CLASSES}>
      <h2 id="clip-title" tabIndex={-1} className={TITLE_CLASSES}>
        {titleLabel(event)}
      </h2>
      <p className="text-stage-text-2 max-md:text-ink-2 text-[14px]">
        {camera && `${camera} · `}
        {when}
      </p>
      <ul className="mt-3 flex flex-wrap gap-2" aria-label="Tags">
        {listShownTags(event).map(({ id, icon, name }) => (
          <InfoChip key={id} Icon={getTagIcon(icon)} text={name} />
        ))}
        {listPeople(event).map((name) => name !== event.title && <InfoChip key={name} Icon={UserRound} text={name} />)}
      </ul>
      {isShown && <ClipDetails event={details} canDownload={canDownload} />}
    </div>
  )
}

/** Actions of the clip, clips of the same time, and questions about the event. */
const ClipDetails = memo(function ClipDetails({ event, canDownload }: Omit<ClipInfoProps, 'isShown'>) {
  const camera = useStore($cameraNames).get(event.device_id) ?? ''
  const isOwner = useStore($eventCameras).some(
    ({ device_id, user_role }) => device_id === event.device_id && user_role === 1,
  )
  const isPhone = useIsPhone()
  const unnamed = isOwner ? findGeneratedName(event) : null
  const feedback = <Feedback key={`feedback-${event.event_id}`} event={event} isOwner={isOwner} />
  const actions = (
    <ClipActions
      key={`actions-${event.event_id}`}
      event={event}
      camera={camera}
      isOwner={isOwner}
      hasClip={canDownload}
    />
  )
  return (
    <>
      {isPhone === true && actions}
      <SyncedClips event={event} />
      {unnamed === null ? (
        feedback
      ) : (
        <LazyWhoIsThis key={`who-${event.event_id}-${unnamed}`} props={{ event, name: unnamed, instead: feedback }} />
      )}
      {isPhone !== true && actions}
      {isPhone === true && <ClipHour event={event} camera={camera} />}
    </>
  )
})

function InfoChip({ Icon, text }: { Icon: LucideIcon; text: string }) {
  return (
    <li className="text-small text-stage-text-2 max-md:border-line-strong max-md:bg-surface max-md:text-ink-2 flex h-[30px] items-center gap-1.5 rounded-full border border-white/14 px-3 font-bold">
      <Icon size={15} aria-hidden />
      <span className="max-w-60 truncate">{text}</span>
    </li>
  )
}
