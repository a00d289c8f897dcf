import { useStore } from '@nanostores/react'
import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { arrange } from '../../../domain/live/tile-layout.ts'
import type { CameraClips } from '../../../domain/events/synced-playback.ts'
import type { SyncedPlayer, StepState } from '../../../media/sync/synced-player.ts'
import { $clipsFrom } from '../../../stores/events/synced-playback.ts'
import { useIsPhone } from '../../../ui/use-media.ts'
import { SyncedCamera } from './SyncedCamera.tsx'

interface PicturesProps {
  readonly cameras: readonly CameraClips[]
  readonly step: SyncedPlayer
  readonly state: StepState
  readonly large: string
  readonly onLarge: (camera: string) => void
  readonly onSound: (camera: string) => void
}

/** Minimum length of a swipe, CSS pixels. */
const SWIPE = 48

/**
 * One video per camera, sized to fit the available space; one of them is large. On phones the others are below the
 * large one.
 */
export function SyncedCameraGrid({ cameras, step, state, large, onLarge, onSound }: PicturesProps) {
  const room = useRef<HTMLUListElement>(null)
  const size = useSize(room)
  const isPhone = useIsPhone()
  const from = useStore($clipsFrom)
  const swipe = useSwipe((by) => {
    const at = cameras.findIndex(({ deviceId }) => deviceId === large)
    const next = cameras[(at + by + cameras.length) % cameras.length]
    if (next) onLarge(next.deviceId)
  })
  const ordered = [large, ...cameras.map(({ deviceId }) => deviceId).filter((id) => id !== large)]
  const places =
    isPhone === false && size ? arrange(cameras.length, [size], cameras.length > 1 ? 'focus' : 'automatic').places : []

  return (
    <ul ref={room} className="same-time-pictures" data-placed={places.length > 0 || undefined} {...(isPhone && swipe)}>
      {cameras.map(({ deviceId, clips }) => {
        const playing = state.cameras.find(({ camera }) => camera === deviceId)
        const clip = clips.find(({ event }) => event.event_id === playing?.id)
        const place = places[ordered.indexOf(deviceId)]
        if (!playing || !clip) return null
        return (
          <li
            key={deviceId}
            data-large={deviceId === large || undefined}
            style={place && { left: place.x, top: place.y, width: place.width, height: place.height }}
          >
            <SyncedCamera
              step={step}
              playing={playing}
              clip={clip}
              from={from.get(playing.id) ?? null}
              isLarge={deviceId === large}
              isHeard={state.heard === deviceId}
              onLarge={() => onLarge(deviceId)}
              onSound={() => onSound(deviceId)}
            />
          </li>
        )
      })}
    </ul>
  )
}

function useSize(room: React.RefObject<HTMLElement | null>) {
  const [size, setSize] = useState<{ width: number; height: number } | null>(null)
  useEffect(() => {
    const element = room.current
    if (!element) return
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight })
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [room])
  return size && size.width > 0 && size.height > 0 ? size : null
}

/** Swipe left for the next camera, right for the previous one. */
function useSwipe(turn: (by: 1 | -1) => void) {
  const from = useRef<{ x: number; y: number } | null>(null)
  return {
    onPointerDown: (pointer: PointerEvent) => (from.current = { x: pointer.clientX, y: pointer.clientY }),
    onPointerUp: (pointer: PointerEvent) => {
      if (!from.current) return
      const [x, y] = [pointer.clientX - from.current.x, pointer.clientY - from.current.y]
      from.current = null
      if (Math.abs(x) > SWIPE && Math.abs(x) > 2 * Math.abs(y)) turn(x < 0 ? 1 : -1)
    },
  }
}
