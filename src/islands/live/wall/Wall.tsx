import { useStore } from '@nanostores/react'
import Maximize from 'lucide-react/icons/maximize'
import Pause from 'lucide-react/icons/pause'
import Play from 'lucide-react/icons/play'
import X from 'lucide-react/icons/x'
import { useEffect, useState } from 'react'
import { arrangeTiles } from '../../../domain/live/tile-layout.ts'
import { CONTROLS_DURATION_MS, createWallPages, moveCameraToFront } from '../../../domain/live/wall-pages.ts'
import { $liveCameras, $listedCameras } from '../../../stores/live/live-page.ts'
import { watchTodayEvents } from '../../../stores/live/load-today-events.ts'
import { $savedLayouts, loadSavedLayouts } from '../../../stores/live/saved-layouts.ts'
import { syncWallModeWithUrl, closeWallMode } from '../../../stores/live/wall-mode.ts'
import { $isSearchUnavailable } from '../../../stores/shell/search-dialog.ts'
import { useClock, useSize, useWakeLock } from './use-wall-screen.ts'
import { useNewEvent, usePageRotation } from './use-page-rotation.ts'
import { WallFooter } from './WallFooter.tsx'
import { WallTile } from './WallTile.tsx'

/** Wall mode: cameras, time and events for a screen that is always on. */
export function Wall() {
  const now = useClock()
  const cameras = useStore($liveCameras)
  const listed = useStore($listedCameras)
  const saved = useStore($savedLayouts) ?? []
  const pages = createWallPages(
    listed.map(({ device_id }) => device_id),
    saved,
  )
  const newEvent = useNewEvent(now)
  const { turn, isPaused, pause: togglePause } = usePageRotation(pages.length, now, newEvent !== null)
  const isScreenKeptOn = useWakeLock()
  useEffect(watchTodayEvents, [])
  useEffect(syncWallModeWithUrl, [])
  useEffect(() => void loadSavedLayouts(), [])
  useWallPageMode()
  const scheduledPage = pages[turn.page]
  const page = scheduledPage && newEvent ? moveCameraToFront(scheduledPage, newEvent.device_id) : scheduledPage
  const { ref, width, height } = useSize<HTMLUListElement>()
  const visibleCameras = (page?.ids ?? []).flatMap((id) => cameras.find(({ device_id }) => device_id === id) ?? [])
  const tileRects =
    width > 0 && visibleCameras.length > 0
      ? arrangeTiles(visibleCameras.length, [{ width, height }], page?.mode).places
      : []
  return (
    <section className="stage wall" aria-label="Wall display">
      <h1 className="sr-only">Cameras</h1>
      <ul ref={ref} className="wall-room" aria-label="Cameras">
        {tileRects.map((place, index) => {
          const camera = visibleCameras[index]!
          const event = newEvent?.device_id === camera.device_id ? newEvent.title : ''
          return <WallTile key={camera.device_id} camera={camera} rect={place} now={now} eventTitle={event} />
        })}
      </ul>
      <WallFooter now={now} pages={pages} turn={turn} isPaused={isPaused} isScreenKept={isScreenKeptOn} />
      <WallControls isPaused={isPaused} togglePause={pages.length > 1 ? togglePause : null} />
    </section>
  )
}

/**
 * Hides the rest of the page, also from screen readers and the keyboard, and makes the search unavailable. Esc leaves
 * wall mode; in full screen, Esc only ends full screen.
 */
function useWallPageMode(): void {
  useEffect(() => {
    const { dataset } = document.documentElement
    dataset['wall'] = 'true'
    $isSearchUnavailable.set(true)
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape' && !document.fullscreenElement) closeWallMode()
    }
    document.addEventListener('keydown', onKey)
    return () => {
      delete dataset['wall']
      $isSearchUnavailable.set(false)
      document.removeEventListener('keydown', onKey)
      if (document.fullscreenElement) void document.exitFullscreen()
    }
  }, [])
}

function WallControls({ isPaused, togglePause }: { isPaused: boolean; togglePause: (() => void) | null }) {
  const isVisible = useRecentInput()
  return (
    <div className="wall-controls" data-seen={isVisible} role="group" aria-label="Wall display">
      {togglePause && (
        <button type="button" className="btn btn-dark" onClick={togglePause}>
          {isPaused ? <Play size={18} aria-hidden="true" /> : <Pause size={18} aria-hidden="true" />}
          {isPaused ? 'Resume rotation' : 'Pause rotation'}
        </button>
      )}
      {document.fullscreenEnabled && (
        <button type="button" className="btn btn-dark" onClick={toggleFullScreen}>
          <Maximize size={18} aria-hidden="true" />
          Full screen
        </button>
      )}
      <button type="button" className="btn btn-white" onClick={closeWallMode}>
        <X size={18} aria-hidden="true" />
        Exit
      </button>
    </div>
  )
}

function useRecentInput(): boolean {
  const [hasRecentInput, setRecentInput] = useState(true)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const onInput = () => {
      clearTimeout(timer)
      setRecentInput(true)
      timer = setTimeout(() => setRecentInput(false), CONTROLS_DURATION_MS)
    }
    onInput()
    const types = ['pointerdown', 'pointermove', 'keydown'] as const
    for (const type of types) document.addEventListener(type, onInput)
    return () => {
      clearTimeout(timer)
      for (const type of types) document.removeEventListener(type, onInput)
    }
  }, [])
  return hasRecentInput
}

function toggleFullScreen(): void {
  if (document.fullscreenElement) void document.exitFullscreen()
  else document.documentElement.requestFullscreen().catch(() => undefined)
}
