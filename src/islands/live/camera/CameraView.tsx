import { useStore } from '@nanostores/react'
import { useEffect, useMemo, useRef } from 'react'
import type { Event } from '../../../../contract/events/events.ts'
import type { Device } from '../../../stores/home/devices.ts'
import { watchDay } from '../../../stores/live/camera-day.ts'
import { $alone } from '../../../stores/live/live-layout.ts'
import { $tiles, getTile } from '../../../stores/live/live-tiles.ts'
import { $today } from '../../../stores/live/today-events.ts'
import { $isEntryHidden } from '../../../stores/shell/search-dialog.ts'
import { hadFocus, returnTo } from '../parts/open-transition.ts'
import { CameraHeader } from './CameraHeader.tsx'
import { DayLine } from './DayTimeline.tsx'
import { TodayEvents } from './TodayEvents.tsx'
import { Frame } from './LargeVideo.tsx'
import { watchCameraKeys } from './camera-keys.ts'

export function OneCamera({ camera }: { camera: Device }) {
  const { device_id } = camera
  const tile = getTile(useStore($tiles, { keys: [device_id], deps: [device_id] }), device_id)
  const today = useStore($today)
  const events = useMemo(() => today?.filter((event) => event.device_id === device_id) ?? null, [today, device_id])
  useEffect(() => watchDay(device_id), [device_id])
  useEffect(() => watchCameraKeys(camera), [camera])
  useEffect(hideEntry, [])
  const back = useComing()
  return (
    <div className="one-camera">
      <CameraHeader camera={camera} tile={tile} back={back} />
      <div className="one-main">
        <Frame camera={camera} tile={tile} />
        <DayLine events={events ?? NONE} isLive={tile.phase === 'playing'} />
      </div>
      <TodayEvents camera={camera} events={events} />
    </div>
  )
}

/** Marks the search entry as hidden, because this view does not show the toolbar that contains it. */
function hideEntry(): () => void {
  $isEntryHidden.set(true)
  return () => $isEntryHidden.set(false)
}

const NONE: readonly Event[] = []

/**
 * When the view opens, focuses the back button if the tile had the focus. When it closes, focuses the tile of the
 * camera shown last.
 */
function useComing(): React.RefObject<HTMLButtonElement | null> {
  const back = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (hadFocus()) back.current?.focus({ preventScroll: true })
    scrollTo(0, 0)
    let last = $alone.get()
    const stop = $alone.listen((deviceId) => void (last = deviceId || last))
    return () => {
      stop()
      returnTo(last)
    }
  }, [])
  return back
}
