import { useStore } from '@nanostores/react'
import { Suspense, useEffect, useState } from 'react'
import { $devices } from '../../stores/home/devices.ts'
import { $isWall } from '../../stores/live/live-layout.ts'
import { $liveCameras, $playing, openLive } from '../../stores/live/live-page.ts'
import { $isPageHydrated, $videoSearchModal } from '../../stores/shell/search-dialog.ts'
import './live.css'
import { Grid } from './parts/Grid.tsx'
import {
  LazyTodayTimeline,
  LazyEmptyHome,
  LazyPageBehaviors,
  LazyCameraListError,
  LazyDeferredCameraView,
  LazyTodayColumn,
  LazyToolbar,
  LazyWall,
} from './parts/lazy-parts.ts'
import { noCameras } from './parts/empty-camera-list.ts'

/** Delay between the first frame and loading today's events, ms. `TODAY_LATEST_MS`: delay if no frame arrives. */
const TODAY_AFTER_MS = 300
const TODAY_LATEST_MS = 2000

/** Constant element: a re-render while the toolbar's script is loading would remove the toolbar until it has loaded. */
const TOOLBAR = (
  <Suspense>
    <LazyToolbar />
  </Suspense>
)

export default function Live() {
  const devices = useStore($devices, { ssr: 'initial' })
  const cameras = useStore($liveCameras, { ssr: noCameras })
  const isWall = useStore($isWall, { ssr: () => false })
  const isSearching = useStore($videoSearchModal, { ssr: () => false })
  useEffect(() => $isPageHydrated.set(true), [])
  useEffect(openLive, [])
  const isLater = useLater()
  const isEmpty = devices.state === 'ready' && cameras.length === 0
  const isDark = isEmpty || devices.state === 'failed'
  if (isWall)
    return (
      <Suspense>
        <LazyWall />
      </Suspense>
    )
  return (
    <>
      <section className="stage live-stage" aria-label="Live view" inert={isSearching}>
        {TOOLBAR}
        <div className="live-body">
          {devices.state === 'loading' && <Skeletons />}
          <Suspense>
            {devices.state === 'failed' && <LazyCameraListError msg={devices.msg} />}
            {isEmpty && <LazyEmptyHome />}
          </Suspense>
          {cameras.length > 0 && <Grid />}
          {!isDark && (
            <aside className="live-today" aria-label="Today">
              <Suspense>{isLater && <LazyTodayColumn />}</Suspense>
            </aside>
          )}
        </div>
        {!isDark && (
          <div className="live-strip">
            <Suspense>{isLater && <LazyTodayTimeline />}</Suspense>
          </div>
        )}
        <Suspense>{cameras.length > 0 && <LazyDeferredCameraView />}</Suspense>
      </section>
      <Suspense>{cameras.length > 0 && <LazyPageBehaviors />}</Suspense>
    </>
  )
}

/** Returns true once the streams had time to start, so that today's events may load. */
function useLater(): boolean {
  const isPlaying = useStore($playing, { ssr: () => 0 }) > 0
  const [isTime, setIsTime] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsTime(true), isPlaying ? TODAY_AFTER_MS : TODAY_LATEST_MS)
    return () => clearTimeout(timer)
  }, [isPlaying])
  return isTime
}

/** Maximum number of skeletons; further cameras appear with their tiles. */
const MOST = 16
const USUAL = 6

/** Empty HTML, so that hydration does not replace the tiles inserted by boot/early-tiles.ts. */
const LEFT_ALONE = { __html: '' }

function Skeletons() {
  return (
    <ul className="live-grid" aria-hidden="true" suppressHydrationWarning>
      {Array.from({ length: MOST }, (_, index) => (
        <li
          key={index}
          className="tile skeleton live-tile"
          hidden={index >= USUAL}
          dangerouslySetInnerHTML={LEFT_ALONE}
          suppressHydrationWarning
        />
      ))}
    </ul>
  )
}
