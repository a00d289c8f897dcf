import { useStore } from '@nanostores/react'
import LayoutGrid from 'lucide-react/icons/layout-grid'
import { useEffect, useMemo, useRef } from 'react'
import type { Event } from '../../../../contract/events/events.ts'
import { watchTogetherLabel } from '../../../domain/copy/synced-playback.ts'
import { countCamerasAt } from '../../../domain/events/synced-playback.ts'
import { getClip } from '../../../domain/events/event-recording.ts'
import { openEvent } from '../../../stores/events/event-url.ts'
import { $cameraNames } from '../../../stores/events/event-cameras.ts'
import { $events } from '../../../stores/events/events.ts'
import { openSyncedMoment } from '../../../stores/events/synced-playback.ts'
import { $playhead } from '../../../stores/events/timeline.ts'
import { timeLabel } from '../../../domain/time/date-formats.ts'

const MAX_CLIPS = 3

/**
 * Clips that other cameras recorded at the same time, played in sync with the open clip. A click on a clip opens it.
 */
export function SyncedClips({ event }: { event: Event }) {
  const events = useStore($events)
  const others = useMemo(
    () => (events.state === 'ready' ? findSimultaneousEvents(event, events.events).slice(0, MAX_CLIPS) : []),
    [event, events],
  )
  if (others.length === 0 || events.state !== 'ready') return null
  const cameraCount = Math.max(others.length + 1, countCamerasAt(events.events, event.event_ts))
  return (
    <div className="synced-clips">
      <div className="flex items-center gap-3">
        <h3 className="text-small text-stage-text-2 max-md:text-ink flex-1 font-bold md:max-lg:hidden">Same time</h3>
        <button
          type="button"
          className="btn btn-dark btn-sm max-md:border-line! max-md:bg-surface! max-md:text-ink! md:max-lg:flex-1"
          title="Play this moment from every camera that recorded it"
          onClick={() => openSyncedMoment($playhead.get() ?? event.event_ts)}
        >
          <LayoutGrid size={18} aria-hidden />
          {watchTogetherLabel(cameraCount)}
        </button>
      </div>
      <ul className="companions">
        {others.map((other) => (
          <li key={other.event_id}>
            <SyncedClip event={other} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function findSimultaneousEvents(event: Event, events: readonly Event[]): Event[] {
  const ownClip = getClip(event)?.resource
  if (!ownClip) return []
  const seen = new Set([event.device_id])
  return events.filter((other) => {
    if (seen.has(other.device_id)) return false
    const clip = getClip(other)?.resource
    if (!clip || clip.begin_time >= ownClip.end_time || clip.end_time <= ownClip.begin_time) return false
    seen.add(other.device_id)
    return true
  })
}

/** Difference to the playhead, in seconds, above which the video seeks. */
const MAX_DRIFT_S = 0.3

function SyncedClip({ event }: { event: Event }) {
  const video = useRef<HTMLVideoElement>(null)
  const camera = useStore($cameraNames).get(event.device_id) ?? 'A camera'
  const begin = getClip(event)?.resource.begin_time ?? event.event_ts
  useEffect(
    () =>
      $playhead.subscribe((at) => {
        const element = video.current
        if (!element || at === null) return
        const second = (at - begin) / 1000
        if (Math.abs(element.currentTime - second) > MAX_DRIFT_S) element.currentTime = Math.max(0, second)
        if (second < 0 || second > element.duration) element.pause()
      }),
    [begin],
  )
  useEffect(() => {
    // A playhead that does not move means that the clip is paused. Its first position is no movement.
    let last = $playhead.get()
    const timer = setInterval(() => {
      const at = $playhead.get()
      const isMoving = last !== null && at !== last
      last = at
      if (isMoving) void video.current?.play().catch(() => undefined)
      else video.current?.pause()
    }, 250)
    return () => clearInterval(timer)
  }, [])
  return (
    <button
      type="button"
      className="flex w-full items-center gap-3 rounded-[10px] text-left md:hover:bg-white/8"
      onClick={() => openEvent({ eventId: event.event_id, deviceId: event.device_id })}
    >
      <video
        ref={video}
        src={`/m/clip/${event.event_id}`}
        poster={`/m/thumb/${event.event_id}`}
        muted
        playsInline
        // The open clip loads first: these clips load once its playhead moves.
        preload="none"
        className="aspect-video w-24 flex-none rounded-[10px] bg-black object-cover lg:w-[72px]"
      />
      <span className="min-w-0">
        <span className="block truncate text-[14px] font-bold">
          <span className="sr-only">Open </span>
          {camera}
        </span>
        <span className="text-micro text-stage-text-2 max-md:text-ink-2 block truncate">
          {timeLabel(event.event_ts)} · {event.title}
        </span>
      </span>
    </button>
  )
}
