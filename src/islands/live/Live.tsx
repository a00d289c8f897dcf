import { useStore } from '@nanostores/react'
import { Suspense, useEffect, useState } from 'react'
import { BRAND_NAME } from '../../../contract/brand.ts'
import { $devices, loadDevices } from '../../stores/home/devices.ts'
import { $cameras, $playing, openLive } from '../../stores/live/live-page.ts'
import './live.css'
import { Grid } from './parts/Grid.tsx'
import { DayStrip, EmptyHome, Extras, LaterCamera, Today, Toolbar } from './parts/lazy.ts'
import { noCameras } from './parts/no-cameras.ts'

/** Events wait until the first pictures are there, yet not for one that never comes. */
const TODAY_AFTER_MS = 300
const TODAY_LATEST_MS = 2000

/** One element for good: what changes around it before its script has come would take it off the page for so long. */
const TOOLBAR = (
  <Suspense>
    <Toolbar />
  </Suspense>
)

/** The cameras of the home, live. */
export default function Live() {
  const devices = useStore($devices, { ssr: 'initial' })
  const cameras = useStore($cameras, { ssr: noCameras })
  useEffect(openLive, [])
  const isLater = useLater()
  const isEmpty = devices.state === 'ready' && cameras.length === 0
  const isDark = isEmpty || devices.state === 'failed'
  return (
    <>
      <section className="stage live-stage" aria-label="Live view">
        {TOOLBAR}
        <div className="live-body">
          {devices.state === 'loading' && <Skeletons />}
          {devices.state === 'failed' && <Failed msg={devices.msg} />}
          <Suspense>{isEmpty && <EmptyHome />}</Suspense>
          {cameras.length > 0 && <Grid />}
          {!isDark && (
            <aside className="live-today" aria-label="Today">
              <Suspense>{isLater && <Today />}</Suspense>
            </aside>
          )}
        </div>
        {!isDark && (
          <div className="live-strip">
            <Suspense>{isLater && <DayStrip />}</Suspense>
          </div>
        )}
        <Suspense>{cameras.length > 0 && <LaterCamera />}</Suspense>
      </section>
      <Suspense>{cameras.length > 0 && <Extras />}</Suspense>
    </>
  )
}

/** Whether the pictures have had their start, and the events of today may come. */
function useLater(): boolean {
  const isPlaying = useStore($playing, { ssr: () => 0 }) > 0
  const [isTime, setIsTime] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsTime(true), isPlaying ? TODAY_AFTER_MS : TODAY_LATEST_MS)
    return () => clearTimeout(timer)
  }, [isPlaying])
  return isTime
}

/** What boot/early-tiles.ts has put there before React came is left alone. */
const LEFT_ALONE = { __html: '' }

function Skeletons() {
  return (
    <ul className="live-grid" data-layout="focus" data-count="6" aria-hidden="true" suppressHydrationWarning>
      {Array.from({ length: 6 }, (_, index) => (
        <li
          key={index}
          className="tile skeleton live-tile"
          data-large={index === 0}
          dangerouslySetInnerHTML={LEFT_ALONE}
          suppressHydrationWarning
        />
      ))}
    </ul>
  )
}

function Failed({ msg }: { msg: string }) {
  return (
    <div className="live-note" role="alert">
      <h2>The list of cameras did not arrive</h2>
      <p>{msg || `${BRAND_NAME} does not answer. It is asked again every second.`}</p>
      <button type="button" className="btn btn-dark" onClick={() => void loadDevices()}>
        Try again
      </button>
    </div>
  )
}
