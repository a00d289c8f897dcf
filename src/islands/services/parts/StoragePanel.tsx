import HardDrive from 'lucide-react/icons/hard-drive'
import { useEffect, useState } from 'react'
import type { HomeStorage } from '../../../../contract/cameras/storage-calls.ts'
import { formatBytes } from '../../../domain/copy/counts.ts'
import { diskText, limitsText, usageText } from '../../../domain/copy/storage.ts'
import { loadStorage } from '../../../stores/live/camera-storage.ts'
import type { Outcome } from '../../../stores/shell/report-failure.ts'
import { LoadError } from '../../../ui/LoadError.tsx'

/** Storage of the clips in the account's own homes. Renders nothing for an account without own cameras. */
export function StoragePanel() {
  const [loaded, setLoaded] = useState<Outcome<HomeStorage[]> | null>(null)
  useEffect(() => void loadStorage().then(setLoaded), [])
  if (loaded === null) return null
  if (!loaded.ok)
    return (
      <section className="card service-card storage-panel" aria-labelledby="storage-title">
        <h2 id="storage-title">Storage</h2>
        <LoadError text={loaded.text} onRetry={() => void loadStorage().then(setLoaded)} />
      </section>
    )
  const homes = loaded.data.filter(({ cameras }) => cameras.length > 0)
  if (homes.length === 0) return null
  return (
    <section className="card service-card storage-panel" aria-labelledby="storage-title">
      <h2 id="storage-title">Storage</h2>
      {homes.map((home) => (
        <HomeCameras key={home.home_id} home={home} />
      ))}
      <p className="text-small text-ink-2 mt-2">
        To change the limits of a camera, open its settings in{' '}
        <a className="link" href="/live">
          Cameras
        </a>
        .
      </p>
    </section>
  )
}

function HomeCameras({ home }: { home: HomeStorage }) {
  const disk = diskText(home)
  return (
    <>
      <p className="text-ink-2 mt-1">
        {formatBytes(home.bytes)} of clips. {disk}
      </p>
      <ul className="mt-2">
        {home.cameras.map((camera) => (
          <li key={camera.device_id} className="list-row">
            <span className="row-icon">
              <HardDrive size={18} aria-hidden="true" />
            </span>
            <span className="row-text">
              <b>{camera.nickname}</b>
              <small>{usageText(camera)}</small>
              <small>{limitsText(camera)}</small>
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
