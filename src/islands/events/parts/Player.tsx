import { HLS_MEDIA_TYPE } from '../../../../contract/media/media-urls.ts'
import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { getClip } from '../../../domain/events/event-recording.ts'
import { ClipPlayer } from '../../../media/clip/clip-player.ts'
import { attachClip } from '../../../media/clip/attach-clip.ts'
import { type OpenClipState, retryClip } from '../../../stores/events/open-clip.ts'
import { $eventUrl } from '../../../stores/events/event-url.ts'
import { $cameraNames } from '../../../stores/events/event-cameras.ts'
import { $showsDetections } from '../../../stores/events/show-detections.ts'
import { $playhead } from '../../../stores/events/timeline.ts'
import { DetectionBoxes } from './DetectionBoxes.tsx'
import { Scrubber } from './Scrubber.tsx'
import { PlaybackControls } from './PlaybackControls.tsx'
import { useClipKeys } from './use-clip-keys.ts'
import { timeLabel } from '../../../domain/time/date-formats.ts'

/** Plays a clip from the second in the URL, else from its start. Muted until the user turns on the sound. */
export function Player({ clip }: { clip: Extract<OpenClipState, { state: 'ready' }> }) {
  const { event, url, mime, isIncomplete, found } = clip
  const frame = useRef<HTMLDivElement>(null)
  const video = useRef<HTMLVideoElement>(null)
  const [player] = useState(() => new ClipPlayer())
  const state = useSyncExternalStore(player.subscribe, player.getSnapshot, player.getSnapshot)
  const isShown = useStore($showsDetections) && found.length > 0
  const camera = useStore($cameraNames).get(event.device_id)
  useEffect(() => (video.current ? player.attach(video.current) : undefined), [player])
  useEffect(() => {
    const element = video.current
    if (!element) return
    const from = $eventUrl.get().open?.at ?? 0
    if (from > 0) element.addEventListener('loadedmetadata', () => player.seek(from), { once: true })
    return attachClip(element, { url, mime }, player.markFailed)
  }, [player, url, mime])
  useClipKeys(player, frame)
  const begin = getClip(event)?.resource.begin_time ?? event.event_ts
  const at = begin + state.time * 1000
  useEffect(() => $playhead.set(at), [at])
  useEffect(() => () => $playhead.set(null), [])

  return (
    <div ref={frame} className="clip-frame flex flex-col">
      <div className="relative aspect-video min-h-0 overflow-hidden bg-[#0c0911] md:rounded-[14px]">
        <video
          ref={video}
          poster={`/m/thumb/${event.event_id}`}
          autoPlay
          muted
          playsInline
          preload="auto"
          className="size-full object-contain"
          aria-label={`Clip: ${event.title}`}
          onClick={() => player.togglePlayback()}
        />
        {isShown && <DetectionBoxes video={video} tracks={found} />}
        <div className="tile-top pointer-events-none max-md:justify-end!">
          {camera && <span className="pill max-md:hidden!">{camera}</span>}
          {isIncomplete && <span className="pill">Still uploading</span>}
          <span className="pill">{timeLabel(at)}</span>
        </div>
        {state.failed && (
          <div className="tile-middle bg-[rgb(18_13_26/.66)]" role="alert">
            <p>The clip stopped loading.</p>
            <button type="button" className="btn btn-white btn-sm mt-2" onClick={retryClip}>
              Try again
            </button>
          </div>
        )}
      </div>
      <Scrubber player={player} state={state} preview={mime === HLS_MEDIA_TYPE ? null : url} found={found} />
      <PlaybackControls player={player} state={state} frame={frame} hasDetections={found.length > 0} />
    </div>
  )
}
