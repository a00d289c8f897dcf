import { useEffect, useState } from 'react'
import type { CameraStorage } from '../../../../contract/cameras/storage-calls.ts'
import { limitsText, usageText } from '../../../domain/copy/storage.ts'
import { loadCameraStorage } from '../../../stores/live/camera-storage.ts'
import type { Outcome } from '../../../stores/shell/report-failure.ts'
import { InlineError } from '../../../ui/InlineError.tsx'
import { StorageForm } from './StorageForm.tsx'

/** Stored clips of a camera, the days that fit, and the owner's limits. */
export function StorageSection({ deviceId }: { deviceId: string }) {
  const [loaded, setLoaded] = useState<Outcome<CameraStorage | null> | null>(null)
  const [isEditing, setEditing] = useState(false)
  useEffect(() => {
    let isUnmounted = false
    void loadCameraStorage(deviceId).then((answer) => isUnmounted || setLoaded(answer))
    return () => void (isUnmounted = true)
  }, [deviceId])
  if (loaded?.ok === false) return <InlineError failure={loaded} />
  const storage = loaded?.data
  async function close(isSaved: boolean) {
    setEditing(false)
    if (isSaved) setLoaded(await loadCameraStorage(deviceId))
  }
  return (
    <section className="camera-storage" aria-label="Storage">
      <div className="switch-row">
        <span>
          <b>Storage</b>
          <small role="status">{storage ? usageText(storage) : loaded ? 'Unknown' : 'Loading…'}</small>
          {storage && <small>{limitsText(storage)}</small>}
        </span>
        {storage && !isEditing && (
          <button type="button" className="btn btn-sm btn-outline" onClick={() => setEditing(true)}>
            Change limits
          </button>
        )}
      </div>
      {storage && isEditing && <StorageForm storage={storage} close={(isSaved) => void close(isSaved)} />}
    </section>
  )
}
