import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { timeLabel } from '../../../domain/event-labels.ts'
import { clipOf } from '../../../domain/clip-resource.ts'
import { ClipPlayer } from '../../../media/clip-player.ts'
import { type Clip, retryClip } from '../../../stores/clip.ts'
import { $cameraNames } from '../../../stores/event-cameras.ts'
import { Scrubber } from './Scrubber.tsx'
import { Transport } from './Transport.tsx'
import { useClipKeys } from './use-clip-keys.ts'

/** Plays a clip from its start, without sound until that is asked for. */
export function Player({ clip: { event, url } }: { clip: Extract<Clip, { state: 'ready' }> }) {
  const frame = useRef<HTMLDivElement>(null)
  const video = useRef<HTMLVideoElement>(null)
  const [player] = useState(() => new ClipPlayer())
  const state = useSyncExternalStore(player.subscribe, player.snapshot, player.snapshot)
  const camera = useStore($cameraNames).get(event.device_id)
  useEffect(() => (video.current ? player.attach(video.current) : undefined), [player])
  useClipKeys(player, frame)
  const begin = clipOf(event)?.resource.begin_time ?? event.event_ts

  return (
    <div ref={frame} className="clip-frame flex flex-col">
      <div className="relative aspect-video min-h-0 overflow-hidden bg-[#0c0911] md:rounded-[14px]">
        <video
          ref={video}
          src={url}
          poster={`/m/thumb/${event.event_id}`}
          autoPlay
          muted
          playsInline
          preload="auto"
          className="size-full object-contain"
          aria-label={`Recording: ${event.title}`}
          onClick={() => player.toggle()}
        />
        <div className="tile-top pointer-events-none max-md:justify-end!">
          {camera && <span className="pill max-md:hidden!">{camera}</span>}
          <span className="pill">{timeLabel(begin + state.time * 1000)}</span>
        </div>
        {state.failed && (
          <div className="tile-middle bg-[rgb(18_13_26/.66)]" role="alert">
            <p>The recording stopped loading.</p>
            <button type="button" className="btn btn-white btn-sm mt-2" onClick={retryClip}>
              Play again
            </button>
          </div>
        )}
      </div>
      <Scrubber player={player} state={state} />
      <Transport player={player} state={state} frame={frame} />
    </div>
  )
}
