import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import type { DetectionTrack } from '../../../../contract/events/detections.ts'
import { durationLabel } from '../../../domain/time/date-formats.ts'
import { getDetectionSpan } from '../../../domain/events/detection-boxes.ts'
import type { ClipPlayer, PlayerState } from '../../../media/clip/clip-player.ts'
import { isDragging } from '../../../ui/pointer-state.ts'
import { ScrubPicture } from './ScrubPicture.tsx'

const KEY_STEPS_S: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
}

interface ScrubberProps {
  readonly player: ClipPlayer
  readonly state: PlayerState
  /** URL of the video for preview frames; null: no preview. */
  readonly preview: string | null
  /** Detections of the clip. One mark on the track shows the time span of all detections. */
  readonly found: readonly DetectionTrack[]
}

/** Seek bar; drag, click and arrow keys move the playhead. */
export function Scrubber({ player, state: { time, duration, buffered }, preview, found }: ScrubberProps) {
  const [pointedSecond, setPointedSecond] = useState<number | null>(null)
  // The first hover loads the preview video, which then stays mounted.
  const [wasPointed, setWasPointed] = useState(false)
  if (pointedSecond !== null && !wasPointed) setWasPointed(true)
  const track = useRef<HTMLDivElement>(null)

  function getSecondAt(pointer: PointerEvent): number {
    const box = track.current?.getBoundingClientRect()
    const share = box ? (pointer.clientX - box.left) / box.width : 0
    return Math.min(1, Math.max(0, share)) * duration
  }

  const seekTo = (pointer: PointerEvent) => player.seek(getSecondAt(pointer))

  function onKeyDown(key: KeyboardEvent): void {
    const to = key.key === 'Home' ? 0 : key.key === 'End' ? duration : time + (KEY_STEPS_S[key.key] ?? Number.NaN)
    if (Number.isNaN(to)) return
    key.preventDefault()
    key.stopPropagation()
    player.seek(to)
  }

  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label="Position in the clip"
      aria-valuemin={0}
      aria-valuemax={Math.round(duration * 10) / 10}
      aria-valuenow={Math.round(time * 10) / 10}
      aria-valuetext={`${durationLabel(time * 1000)} of ${durationLabel(duration * 1000)}`}
      className="relative flex h-8 flex-none cursor-pointer touch-none items-center rounded-lg max-md:mx-4 max-md:h-11"
      onPointerDown={(pointer) => {
        if (pointer.button !== 0) return
        pointer.currentTarget.setPointerCapture(pointer.pointerId)
        setPointedSecond(getSecondAt(pointer))
        seekTo(pointer)
      }}
      onPointerMove={(pointer) => {
        setPointedSecond(getSecondAt(pointer))
        if (isDragging(pointer)) seekTo(pointer)
      }}
      onPointerLeave={() => setPointedSecond(null)}
      onPointerCancel={() => setPointedSecond(null)}
      onKeyDown={onKeyDown}
    >
      {preview && wasPointed && duration > 0 && (
        <ScrubPicture url={preview} second={pointedSecond} share={(pointedSecond ?? 0) / duration} />
      )}
      <div ref={track} className="scrub-track relative h-1.5 w-full rounded-full bg-white/16">
        <TrackMarks time={time} duration={duration} buffered={buffered} found={found} />
      </div>
    </div>
  )
}

function TrackMarks({
  time,
  duration,
  buffered,
  found,
}: Pick<PlayerState, 'time' | 'duration' | 'buffered'> & Pick<ScrubberProps, 'found'>) {
  const percent = (seconds: number) => `${duration > 0 ? Math.min(100, (seconds / duration) * 100) : 0}%`
  const span = getDetectionSpan(found)
  return (
    <>
      <div className="absolute inset-y-0 left-0 rounded-full bg-white/12" style={{ width: percent(buffered) }} />
      {span && (
        <div
          className="scrub-found"
          style={{ left: percent(span.from), width: percent(Math.min(span.to, duration) - span.from) }}
        />
      )}
      <div className="bg-stage-primary absolute inset-y-0 left-0 rounded-full" style={{ width: percent(time) }} />
      <div
        className="absolute top-1/2 size-4 -translate-1/2 rounded-full bg-white shadow-[0_1px_4px_rgb(0_0_0/.5)]"
        style={{ left: percent(time) }}
      />
    </>
  )
}
