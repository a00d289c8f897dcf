import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import type { ClipPlayer, PlayerState } from '../../../media/clip-player.ts'
import { durationLabel } from '../../../domain/dates.ts'

const STEP_S = 1
const PAGE_S = 10

interface ScrubberProps {
  readonly player: ClipPlayer
  readonly state: PlayerState
  /** Where the pictures of the preview come from; null: none. */
  readonly preview: string | null
}

/** Where the clip is; drag, click or arrow keys move it. */
export function Scrubber({ player, state: { time, duration, buffered }, preview }: ScrubberProps) {
  const [pointed, point] = useState<number | null>(null)
  const track = useRef<HTMLDivElement>(null)
  const percent = (seconds: number) => `${duration > 0 ? Math.min(100, (seconds / duration) * 100) : 0}%`

  function secondAt(pointer: PointerEvent): number {
    const box = track.current?.getBoundingClientRect()
    const share = box ? (pointer.clientX - box.left) / box.width : 0
    return Math.min(1, Math.max(0, share)) * duration
  }

  const seekTo = (pointer: PointerEvent) => player.seek(secondAt(pointer))

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
      onPointerMove={(pointer) => {
        point(secondAt(pointer))
        if (pointer.currentTarget.hasPointerCapture(pointer.pointerId)) seekTo(pointer)
      }}
      onPointerLeave={() => point(null)}
      onKeyDown={onKeyDown}
    >
      {preview && pointed !== null && duration > 0 && (
        <ScrubPreview url={preview} second={pointed} share={pointed / duration} />
      )}
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

/** The picture of the pointed second, above it. */
function ScrubPreview({ url, second, share }: { url: string; second: number; share: number }) {
  const video = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    if (video.current) video.current.currentTime = second
  }, [second])
  return (
    <div
      aria-hidden
      className="shadow-menu pointer-events-none absolute bottom-full z-10 w-40 -translate-x-1/2 overflow-hidden rounded-[10px] bg-black"
      style={{ left: `clamp(80px, ${share * 100}%, calc(100% - 80px))` }}
    >
      <video ref={video} src={url} muted playsInline preload="auto" className="aspect-video w-full object-cover" />
      <p className="text-micro py-0.5 text-center font-bold text-white">{durationLabel(second * 1000)}</p>
    </div>
  )
}
