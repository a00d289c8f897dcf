import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { durationLabel } from '../../../domain/event-labels.ts'
import type { ClipPlayer, PlayerState } from '../../../media/clip-player.ts'

const STEP_S = 1
const PAGE_S = 10

/** Where the clip is; drag, click or arrow keys move it. */
export function Scrubber({ player, state: { time, duration, buffered } }: { player: ClipPlayer; state: PlayerState }) {
  const track = useRef<HTMLDivElement>(null)
  const percent = (seconds: number) => `${duration > 0 ? Math.min(100, (seconds / duration) * 100) : 0}%`

  function seekTo(pointer: PointerEvent): void {
    const box = track.current?.getBoundingClientRect()
    if (box) player.seek(((pointer.clientX - box.left) / box.width) * duration)
  }

  function onKeyDown(key: KeyboardEvent): void {
    const to = {
      ArrowLeft: time - STEP_S,
      ArrowDown: time - STEP_S,
      ArrowRight: time + STEP_S,
      ArrowUp: time + STEP_S,
      PageDown: time - PAGE_S,
      PageUp: time + PAGE_S,
      Home: 0,
      End: duration,
    }[key.key]
    if (to === undefined) return
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
        pointer.currentTarget.setPointerCapture(pointer.pointerId)
        seekTo(pointer)
      }}
      onPointerMove={(pointer) => pointer.currentTarget.hasPointerCapture(pointer.pointerId) && seekTo(pointer)}
      onKeyDown={onKeyDown}
    >
      <div ref={track} className="relative h-1.5 w-full rounded-full bg-white/16">
        <div className="absolute inset-y-0 left-0 rounded-full bg-white/12" style={{ width: percent(buffered) }} />
        <div className="bg-stage-primary absolute inset-y-0 left-0 rounded-full" style={{ width: percent(time) }} />
        <div
          className="absolute top-1/2 size-4 -translate-1/2 rounded-full bg-white shadow-[0_1px_4px_rgb(0_0_0/.5)]"
          style={{ left: percent(time) }}
        />
      </div>
    </div>
  )
}
