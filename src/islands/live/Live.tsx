import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { $devices, loadDevices } from '../../stores/devices.ts'
import { $cameras, openLive } from '../../stores/live-page.ts'
import './live.css'
import { EmptyHome } from './parts/EmptyHome.tsx'
import { Grid } from './parts/Grid.tsx'
import { Toolbar } from './parts/Toolbar.tsx'
import { useKeys } from './parts/use-keys.ts'

/** The cameras of the home, live. */
export default function Live() {
  const devices = useStore($devices, { ssr: 'initial' })
  const cameras = useStore($cameras, { ssr: () => [] })
  useEffect(openLive, [])
  useKeys()
  const isEmpty = devices.state === 'ready' && cameras.length === 0
  return (
    <section className="stage live-stage" aria-label="Cameras">
      <Toolbar />
      <div className="live-body">
        {devices.state === 'loading' && <Skeletons />}
        {devices.state === 'failed' && <Failed msg={devices.msg} />}
        {isEmpty && <EmptyHome />}
        {cameras.length > 0 && <Grid />}
      </div>
    </section>
  )
}

function Skeletons() {
  return (
    <ul className="live-grid" data-layout="focus" data-count="6" aria-hidden="true">
      {Array.from({ length: 6 }, (_, index) => (
        <li key={index} className="tile skeleton live-tile" />
      ))}
    </ul>
  )
}

function Failed({ msg }: { msg: string }) {
  return (
    <div className="live-note" role="alert">
      <h2>The list of cameras did not arrive</h2>
      <p>{msg || 'Porchlight does not answer. It is asked again every second.'}</p>
      <button type="button" className="btn btn-dark" onClick={() => void loadDevices()}>
        Try again
      </button>
    </div>
  )
}
