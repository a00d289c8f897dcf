import { useStore } from '@nanostores/react'
import { Suspense, useEffect, useLayoutEffect, useState } from 'react'
import { $devices } from '../../stores/home/devices.ts'
import { $isWallMode, $singleCameraId, closeSingleCamera } from '../../stores/live/live-layout.ts'
import { $liveCameras, $playingCount, openLivePage } from '../../stores/live/live-page.ts'
import { syncOpenCameraWithUrl } from '../../stores/live/open-camera-url.ts'
import { $isPageHydrated, $videoSearchModal } from '../../stores/shell/search-dialog.ts'
import './live.css'
import './parts/loading.css'
import { Grid } from './parts/Grid.tsx'
import {
  LazyTodayTimeline,
  LazyEmptyHome,
  LazyPageBehaviors,
  LazyCameraListError,
  LazyDeferredCameraView,
  LazyServiceNotice,
  LazyTodayColumn,
  LazyToolbar,
} from './parts/lazy-parts.ts'
import { LazyWall } from './parts/lazy-wall.ts'
import { CameraSkeleton, STRIP_SKELETON, TODAY_SKELETON } from './parts/Skeletons.tsx'
import { getEmptyCameraList } from './parts/empty-camera-list.ts'

/** Delay between the first frame and loading today's events, ms. `TODAY_LOAD_MAX_DELAY_MS` applies if no frame arrives. */
const TODAY_LOAD_DELAY_MS = 300
const TODAY_LOAD_MAX_DELAY_MS = 2000

/** Created once, because with a new element, a re-render would hide the toolbar while its script is still loading. */
const SUSPENDED_TOOLBAR = (
  <Suspense>
    <LazyToolbar />
  </Suspense>
)

const NO_PROPS = {}
const WALL_FALLBACK = <section className="stage live-stage" aria-label="Wall display" aria-busy="true" />

export default function Live() {
  const devices = useStore($devices, { ssr: 'initial' })
  const cameras = useStore($liveCameras, { ssr: getEmptyCameraList })
  const isWall = useStore($isWallMode, { ssr: () => false })
  const isSearching = useStore($videoSearchModal, { ssr: () => false })
  useEffect(() => $isPageHydrated.set(true), [])
  useLayoutEffect(watchEarlyEscape, [])
  useEffect(openLivePage, [])
  useEffect(syncOpenCameraWithUrl, [])
  const openCameraId = useStore($singleCameraId, { ssr: () => '' })
  const openCamera = cameras.find(({ device_id }) => device_id === openCameraId)
  const canLoadToday = useCanLoadToday()
  const isEmpty = devices.state === 'ready' && cameras.length === 0
  const hasNoTiles = isEmpty || devices.state === 'failed'
  if (isWall) return <LazyWall props={NO_PROPS} fallback={WALL_FALLBACK} />
  return (
    <>
      <section className="stage live-stage" aria-label="Live view" inert={isSearching}>
        {SUSPENDED_TOOLBAR}
        <div className="live-body" aria-busy={devices.state === 'loading'}>
          {devices.state === 'loading' && <TileSkeletons />}
          <Suspense>
            {devices.state === 'failed' && <LazyCameraListError msg={devices.msg} />}
            {isEmpty && <LazyEmptyHome />}
          </Suspense>
          {cameras.length > 0 && <Grid />}
          <Suspense>{cameras.length > 0 && <LazyServiceNotice />}</Suspense>
          {!hasNoTiles && (
            <aside className="live-today" aria-label="Today">
              <Suspense fallback={TODAY_SKELETON}>{canLoadToday ? <LazyTodayColumn /> : TODAY_SKELETON}</Suspense>
            </aside>
          )}
        </div>
        {!hasNoTiles && (
          <div className="live-strip">
            <Suspense fallback={STRIP_SKELETON}>{cameras[0] ? <LazyTodayTimeline /> : STRIP_SKELETON}</Suspense>
          </div>
        )}
        <Suspense fallback={openCamera && <CameraSkeleton name={openCamera.nickname} />}>
          {cameras.length > 0 && <LazyDeferredCameraView />}
        </Suspense>
      </section>
      <Suspense>{cameras.length > 0 && <LazyPageBehaviors />}</Suspense>
    </>
  )
}

/** Returns true once the streams had time to start, so that today's events may load. */
function useCanLoadToday(): boolean {
  const isPlaying = useStore($playingCount, { ssr: () => 0 }) > 0
  const [hasWaited, setHasWaited] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setHasWaited(true), isPlaying ? TODAY_LOAD_DELAY_MS : TODAY_LOAD_MAX_DELAY_MS)
    return () => clearTimeout(timer)
  }, [isPlaying])
  return hasWaited
}

/**
 * Number of skeletons. The first `VISIBLE_SKELETONS` are visible until boot/early/start-live.ts fills in the cameras.
 */
const MAX_SKELETONS = 16
const VISIBLE_SKELETONS = 6

/** Empty HTML, so that hydration does not replace the content inserted by boot/early/start-live.ts. */
const EMPTY_HTML = { __html: '' }

function TileSkeletons() {
  return (
    <ul className="live-grid" aria-hidden="true" suppressHydrationWarning>
      {Array.from({ length: MAX_SKELETONS }, (_, index) => (
        <li
          key={index}
          className="tile skeleton live-tile"
          hidden={index >= VISIBLE_SKELETONS}
          dangerouslySetInnerHTML={EMPTY_HTML}
          suppressHydrationWarning
        />
      ))}
    </ul>
  )
}

/** Closes the camera with Escape until page-shortcuts.ts, which loads later, handles the keys of the page. */
function watchEarlyEscape(): () => void {
  const close = ({ key }: KeyboardEvent) =>
    key === 'Escape' && !('keys' in document.documentElement.dataset) && closeSingleCamera()
  document.addEventListener('keydown', close)
  return () => document.removeEventListener('keydown', close)
}
