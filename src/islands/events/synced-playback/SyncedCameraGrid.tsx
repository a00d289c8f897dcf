import { useStore } from '@nanostores/react'
import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { arrangeTiles } from '../../../domain/live/tile-layout.ts'
import type { CameraClips } from '../../../domain/events/synced-playback.ts'
import type { SyncedPlayer, SyncedPlayerState } from '../../../media/sync/synced-player.ts'
import { $clipSources } from '../../../stores/events/synced-playback.ts'
import { useIsPhone } from '../../../ui/use-media.ts'
import { SyncedCamera } from './SyncedCamera.tsx'

interface SyncedCameraGridProps {
  readonly cameras: readonly CameraClips[]
  readonly step: SyncedPlayer
  readonly state: SyncedPlayerState
  readonly large: string
  readonly onLarge: (camera: string) => void
  readonly onSound: (camera: string) => void
}

const SWIPE_MIN_PX = 48

/**
 * Videos of all cameras, sized to fit the available space. One video is large; on phones, the small videos are below
 * it.
 */
export function SyncedCameraGrid({ cameras, step, state, large, onLarge, onSound }: SyncedCameraGridProps) {
  const container = useRef<HTMLUListElement>(null)
  const size = useSize(container)
  const isPhone = useIsPhone()
  const clipSources = useStore($clipSources)
  const swipe = useSwipe((by) => {
    const at = cameras.findIndex(({ deviceId }) => deviceId === large)
    const next = cameras[(at + by + cameras.length) % cameras.length]
    if (next) onLarge(next.deviceId)
  })
  const ordered = [large, ...cameras.map(({ deviceId }) => deviceId).filter((id) => id !== large)]
  const tileRects =
    isPhone === false && size
      ? arrangeTiles(cameras.length, [size], cameras.length > 1 ? 'focus' : 'automatic').places
      : []

  return (
    <ul
      ref={container}
      className="same-time-pictures"
      data-placed={tileRects.length > 0 || undefined}
      {...(isPhone && swipe)}
    >
      {cameras.map(({ deviceId, clips }) => {
        const playing = state.cameras.find(({ camera }) => camera === deviceId)
        const clip = clips.find(({ event }) => event.event_id === playing?.id)
        const tileRect = tileRects[ordered.indexOf(deviceId)]
        if (!playing || !clip) return null
        return (
          <li
            key={deviceId}
            data-large={deviceId === large || undefined}
            style={tileRect && { left: tileRect.x, top: tileRect.y, width: tileRect.width, height: tileRect.height }}
          >
            <SyncedCamera
              step={step}
              playing={playing}
              clip={clip}
              from={clipSources.get(playing.id) ?? null}
              isLarge={deviceId === large}
              isHeard={state.audibleCamera === deviceId}
              onLarge={() => onLarge(deviceId)}
              onSound={() => onSound(deviceId)}
            />
          </li>
        )
      })}
    </ul>
  )
}

function useSize(containerRef: React.RefObject<HTMLElement | null>) {
  const [size, setSize] = useState<{ width: number; height: number } | null>(null)
  useEffect(() => {
    const element = containerRef.current
    if (!element) return
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight })
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [containerRef])
  return size && size.width > 0 && size.height > 0 ? size : null
}

/** Returns pointer handlers that call `onSwipe` with 1 after a swipe left, and with -1 after a swipe right. */
function useSwipe(onSwipe: (by: 1 | -1) => void) {
  const swipeStart = useRef<{ x: number; y: number } | null>(null)
  return {
    onPointerDown: (pointer: PointerEvent) => (swipeStart.current = { x: pointer.clientX, y: pointer.clientY }),
    onPointerUp: (pointer: PointerEvent) => {
      if (!swipeStart.current) return
      const [x, y] = [pointer.clientX - swipeStart.current.x, pointer.clientY - swipeStart.current.y]
      swipeStart.current = null
      if (Math.abs(x) > SWIPE_MIN_PX && Math.abs(x) > 2 * Math.abs(y)) onSwipe(x < 0 ? 1 : -1)
    },
  }
}
