import { HLS_MEDIA_TYPE } from '../../../../contract/media/media-urls.ts'
import { useStore } from '@nanostores/react'
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { getClip } from '../../../domain/events/event-recording.ts'
import { ClipPlayer } from '../../../media/clip/clip-player.ts'
import { acquireClipVideo } from '../../../media/clip/clip-video.ts'
import { waitForFirstFrame } from '../../../media/clip/first-frame.ts'
import { attachClip } from '../../../media/clip/attach-clip.ts'
import { $isClipShown } from '../../../stores/events/clip-visibility.ts'
import { type ReadyClipState, retryClip } from '../../../stores/events/open-clip.ts'
import { $eventUrl } from '../../../stores/events/event-url.ts'
import { $cameraNames } from '../../../stores/events/event-cameras.ts'
import { $showsDetections } from '../../../stores/events/show-detections.ts'
import { $playhead } from '../../../stores/events/timeline.ts'
import { ClipPicture } from './ClipPicture.tsx'
import { DetectionBoxes } from './DetectionBoxes.tsx'
import { describeVideo, PICTURE_CLASSES } from './early-stage.ts'
import { Scrubber } from './Scrubber.tsx'
import { PlaybackControls } from './PlaybackControls.tsx'
import { useClipKeys } from './use-clip-keys.ts'
import { timeLabel } from '../../../domain/time/date-formats.ts'

const NO_DETECTIONS: ReadyClipState['found'] = []

/**
 * Plays a clip from the second in the URL, else from its start. Muted until the user turns on the sound. The next clip
 * gets a new video in the same elements, so full screen and focus stay.
 */
export function Player({ clip }: { clip: ReadyClipState }) {
  const { event, url, mime, isIncomplete, isUnconfirmed, failure } = clip
  const frame = useRef<HTMLDivElement>(null)
  const picture = useRef<HTMLDivElement>(null)
  const { video, player } = usePlayback(clip)
  const state = useSyncExternalStore(player.subscribe, player.getSnapshot, player.getSnapshot)
  const isClipShown = useStore($isClipShown)
  const found = isClipShown ? clip.found : NO_DETECTIONS
  const isShown = useStore($showsDetections) && found.length > 0
  const camera = useStore($cameraNames).get(event.device_id)
  useLayoutEffect(() => {
    const element = video.current
    picture.current?.prepend(element)
    const detachPlayer = player.attach(element)
    const from = $eventUrl.get().open?.at ?? 0
    const seekToStart = () => player.seek(from)
    if (from > 0 && element.readyState > 0) seekToStart()
    else if (from > 0) element.addEventListener('loadedmetadata', seekToStart, { once: true })
    const detachClip = attachClip(element, { url, mime }, player.markFailed)
    void element.play().catch(() => undefined)
    return () => {
      detachPlayer()
      detachClip()
      element.remove()
    }
  }, [player, video, url, mime])
  useLayoutEffect(() => describeVideo(video.current, event), [video, event])
  useEffect(() => waitForFirstFrame(video.current, () => $isClipShown.set(true)), [video, url])
  useClipKeys(player, frame)
  const begin = getClip(event)?.resource.begin_time ?? event.event_ts
  const at = begin + state.time * 1000
  useEffect(() => {
    if (isClipShown) $playhead.set(at)
  }, [isClipShown, at])
  useEffect(() => () => $playhead.set(null), [])
  if (state.failed && failure) return <ClipPicture clip={{ state: 'failed', event, failure }} />

  return (
    <div ref={frame} className="clip-frame flex flex-col">
      <div
        ref={picture}
        className={PICTURE_CLASSES}
        onClick={({ target }) => target === video.current && player.togglePlayback()}
      >
        {isShown && <DetectionBoxes video={video} tracks={found} />}
        <div className="tile-top pointer-events-none max-md:justify-end!">
          {camera && <span className="pill max-md:hidden!">{camera}</span>}
          {isIncomplete && <span className="pill">Still uploading</span>}
          <span className="pill">{timeLabel(at)}</span>
        </div>
        {state.failed && !isUnconfirmed && (
          <div className="tile-middle bg-[rgb(18_13_26/.66)]" role="alert">
            <p>The clip stopped loading.</p>
            <button type="button" className="btn btn-white btn-sm mt-2" onClick={retryClip}>
              Try again
            </button>
          </div>
        )}
      </div>
      <Scrubber key={url} player={player} state={state} preview={mime === HLS_MEDIA_TYPE ? null : url} found={found} />
      <PlaybackControls player={player} state={state} frame={frame} hasDetections={found.length > 0} />
    </div>
  )
}

/** Returns the video element of a clip and its controller. Each opening of a clip has its own. */
function usePlayback({ opening, url }: ReadyClipState) {
  const create = () => ({ opening, url, video: { current: acquireClipVideo(url) }, player: new ClipPlayer() })
  const [playback, setPlayback] = useState(create)
  if (playback.opening === opening && playback.url === url) return playback
  const next = create()
  setPlayback(next)
  return next
}
