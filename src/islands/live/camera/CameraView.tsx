import { useStore } from '@nanostores/react'
import { useEffect, useMemo, useRef } from 'react'
import type { Event } from '../../../../contract/events/events.ts'
import type { Device } from '../../../stores/home/devices.ts'
import { watchCameraDay } from '../../../stores/live/camera-day.ts'
import { $singleCameraId } from '../../../stores/live/live-layout.ts'
import { $tiles, getTileState } from '../../../stores/live/live-tiles.ts'
import { $todayEvents } from '../../../stores/live/today-events.ts'
import { $isSearchButtonHidden } from '../../../stores/shell/search-dialog.ts'
import { hadTileFocus, restoreScrollAndFocus } from '../parts/open-transition.ts'
import { CameraHeader } from './CameraHeader.tsx'
import { DayTimeline } from './DayTimeline.tsx'
import { TodayEvents } from './TodayEvents.tsx'
import { LargeVideo } from './LargeVideo.tsx'
import { watchCameraKeys } from './camera-keys.ts'

export function CameraView({ camera }: { camera: Device }) {
  const { device_id } = camera
  const tile = getTileState(useStore($tiles, { keys: [device_id], deps: [device_id] }), device_id)
  const today = useStore($todayEvents)
  const events = useMemo(() => today?.filter((event) => event.device_id === device_id) ?? null, [today, device_id])
  useEffect(() => watchCameraDay(device_id), [device_id])
  useEffect(() => watchCameraKeys(camera), [camera])
  useEffect(hideSearchEntry, [])
  const backButton = useFocusOnOpenAndClose()
  return (
    <div className="one-camera">
      <CameraHeader camera={camera} tile={tile} backButton={backButton} />
      <div className="one-main">
        <LargeVideo camera={camera} tile={tile} />
        <DayTimeline events={events ?? NO_EVENTS} isLive={tile.phase === 'playing'} />
      </div>
      <TodayEvents camera={camera} events={events} />
    </div>
  )
}

/**
 * Marks the search entry as hidden while the camera view is open, because this view has no toolbar. Returns a function
 * that removes the mark.
 */
function hideSearchEntry(): () => void {
  $isSearchButtonHidden.set(true)
  return () => $isSearchButtonHidden.set(false)
}

const NO_EVENTS: readonly Event[] = []

/**
 * On opening, scrolls to the top, and focuses the back button if the tile had the focus. On closing, restores the
 * scroll position of the grid and focuses the tile of the last shown camera.
 */
function useFocusOnOpenAndClose(): React.RefObject<HTMLButtonElement | null> {
  const backButton = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (hadTileFocus()) backButton.current?.focus({ preventScroll: true })
    scrollTo(0, 0)
    let lastCameraId = $singleCameraId.get()
    const unsubscribe = $singleCameraId.listen((deviceId) => void (lastCameraId = deviceId || lastCameraId))
    return () => {
      unsubscribe()
      restoreScrollAndFocus(lastCameraId)
    }
  }, [])
  return backButton
}
