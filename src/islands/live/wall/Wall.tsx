import { useStore } from '@nanostores/react'
import Maximize from 'lucide-react/icons/maximize'
import Pause from 'lucide-react/icons/pause'
import Play from 'lucide-react/icons/play'
import X from 'lucide-react/icons/x'
import { useEffect, useState } from 'react'
import { arrange } from '../../../domain/live/tile-layout.ts'
import { CONTROLS_MS, wallPages, withFirst } from '../../../domain/live/wall-pages.ts'
import { $liveCameras, $listed } from '../../../stores/live/live-page.ts'
import { watchToday } from '../../../stores/live/load-today-events.ts'
import { $savedLayouts, loadSavedLayouts } from '../../../stores/live/saved-layouts.ts'
import { syncWallWithUrl, leaveWall } from '../../../stores/live/wall-mode.ts'
import { $isSearchAway } from '../../../stores/shell/search-dialog.ts'
import { useClock, useSize, useWakeLock } from './use-wall-screen.ts'
import { useNews, useTurns } from './use-page-rotation.ts'
import { WallFoot } from './WallFooter.tsx'
import { WallTile } from './WallTile.tsx'

/** Wall mode: cameras, time and events, for a screen that is always on. */
export function Wall() {
  const now = useClock()
  const cameras = useStore($liveCameras)
  const listed = useStore($listed)
  const saved = useStore($savedLayouts) ?? []
  const pages = wallPages(
    listed.map(({ device_id }) => device_id),
    saved,
  )
  const news = useNews(now)
  const { turn, isPaused, pause } = useTurns(pages.length, now, news !== null)
  const isScreenKept = useWakeLock()
  useEffect(watchToday, [])
  useEffect(syncWallWithUrl, [])
  useEffect(() => void loadSavedLayouts(), [])
  useAlone()
  const standing = pages[turn.page]
  const page = standing && news ? withFirst(standing, news.device_id) : standing
  const { ref, width, height } = useSize<HTMLUListElement>()
  const visibleCameras = (page?.ids ?? []).flatMap((id) => cameras.find(({ device_id }) => device_id === id) ?? [])
  const places =
    width > 0 && visibleCameras.length > 0 ? arrange(visibleCameras.length, [{ width, height }], page?.mode).places : []
  return (
    <section className="stage wall" aria-label="Wall">
      <h1 className="sr-only">Cameras</h1>
      <ul ref={ref} className="wall-room" aria-label="Cameras">
        {places.map((place, index) => {
          const camera = visibleCameras[index]!
          const event = news?.device_id === camera.device_id ? news.title : ''
          return <WallTile key={camera.device_id} camera={camera} place={place} now={now} event={event} />
        })}
      </ul>
      <WallFoot now={now} pages={pages} turn={turn} isPaused={isPaused} isScreenKept={isScreenKept} />
      <Controls isPaused={isPaused} pause={pages.length > 1 ? pause : null} />
    </section>
  )
}

/** Hides the rest of the page, also from screen readers and the keyboard. Esc leaves wall mode. */
function useAlone(): void {
  useEffect(() => {
    const { dataset } = document.documentElement
    dataset['wall'] = 'true'
    $isSearchAway.set(true)
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape' && !document.fullscreenElement) leaveWall()
    }
    document.addEventListener('keydown', onKey)
    return () => {
      delete dataset['wall']
      $isSearchAway.set(false)
      document.removeEventListener('keydown', onKey)
      if (document.fullscreenElement) void document.exitFullscreen()
    }
  }, [])
}

/** Buttons of the wall. They are visible for five seconds after a touch, a mouse movement or a key press. */
function Controls({ isPaused, pause }: { isPaused: boolean; pause: (() => void) | null }) {
  const isSeen = useTouched()
  return (
    <div className="wall-controls" data-seen={isSeen} role="group" aria-label="Wall">
      {pause && (
        <button type="button" className="btn btn-dark" onClick={pause}>
          {isPaused ? <Play size={18} aria-hidden="true" /> : <Pause size={18} aria-hidden="true" />}
          {isPaused ? 'Go on' : 'Stay on this page'}
        </button>
      )}
      {document.fullscreenEnabled && (
        <button type="button" className="btn btn-dark" onClick={toggleFullScreen}>
          <Maximize size={18} aria-hidden="true" />
          Full screen
        </button>
      )}
      <button type="button" className="btn btn-white" onClick={leaveWall}>
        <X size={18} aria-hidden="true" />
        Leave the wall
      </button>
    </div>
  )
}

function useTouched(): boolean {
  const [isTouched, setTouched] = useState(true)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const touch = () => {
      clearTimeout(timer)
      setTouched(true)
      timer = setTimeout(() => setTouched(false), CONTROLS_MS)
    }
    touch()
    const types = ['pointerdown', 'pointermove', 'keydown'] as const
    for (const type of types) document.addEventListener(type, touch)
    return () => {
      clearTimeout(timer)
      for (const type of types) document.removeEventListener(type, touch)
    }
  }, [])
  return isTouched
}

function toggleFullScreen(): void {
  if (document.fullscreenElement) void document.exitFullscreen()
  else document.documentElement.requestFullscreen().catch(() => undefined)
}
