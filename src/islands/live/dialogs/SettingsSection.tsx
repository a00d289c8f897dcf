import { useStore } from '@nanostores/react'
import { useEffect, useState, type FormEvent } from 'react'
import type { CameraSettings } from '../../../../contract/cameras/camera-settings.ts'
import type { CameraArea } from '../../../../contract/cameras/camera-areas.ts'
import { $hasUnsavedChanges } from '../../../stores/live/camera-dialog.ts'
import { moveCameraByOne } from '../../../stores/live/camera-order.ts'
import { loadCameraAreas, saveCameraAreas } from '../../../stores/live/camera-areas.ts'
import {
  fetchBridgeName,
  loadCameraSettings,
  renameOwnCamera,
  saveCameraSettings,
} from '../../../stores/live/camera-settings.ts'
import type { Device } from '../../../stores/home/devices.ts'
import { $liveCameras } from '../../../stores/live/live-page.ts'
import type { Failure, Outcome } from '../../../stores/shell/report-failure.ts'
import { showToast } from '../../../stores/shell/toasts.ts'
import { Field } from '../../../ui/Field.tsx'
import { InlineError } from '../../../ui/InlineError.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { CameraFacts } from './CameraFacts.tsx'
import { MotionFields } from './MotionFields.tsx'
import { AreaFields } from './AreaFields.tsx'
import { RemoveCamera } from './RemoveCamera.tsx'
import { StorageSection } from './StorageSection.tsx'

/** Settings of a camera, for its owner. If saving fails, the form keeps the input. */
export function SettingsSection({ camera }: { camera: Device }) {
  const { device_id } = camera
  const [loaded, setLoaded] = useState<Outcome<CameraSettings> | null>(null)
  const [areas, setAreas] = useState<Outcome<CameraArea[] | null> | null>(null)
  const [bridge, setBridge] = useState('')
  useEffect(() => {
    let isUnmounted = false
    void loadCameraSettings(device_id).then((answer) => isUnmounted || setLoaded(answer))
    void loadCameraAreas(device_id).then((answer) => isUnmounted || setAreas(answer))
    void fetchBridgeName(device_id).then((name) => isUnmounted || setBridge(name))
    return () => void (isUnmounted = true)
  }, [device_id])
  const isLoading = loaded === null || (loaded.ok && areas === null)
  return (
    <div className="camera-section">
      {isLoading && <p className="text-small">Loading…</p>}
      {loaded?.ok === false && <InlineError failure={loaded} />}
      {loaded?.ok && areas && (
        <SettingsForm camera={camera} initial={{ settings: loaded.data, areas: areas.ok ? areas.data : null }} />
      )}
      {loaded?.ok && areas?.ok === false && <InlineError failure={areas} />}
      <StorageSection deviceId={device_id} />
      <PositionRow camera={camera} />
      <CameraFacts camera={camera} bridge={bridge} />
      <RemoveCamera camera={camera} />
    </div>
  )
}

interface SettingsFormValues {
  readonly settings: CameraSettings
  /** null if the areas are unknown. */
  readonly areas: CameraArea[] | null
}
const haveAreasChanged = (choices: SettingsFormValues, other: SettingsFormValues) =>
  String(choices.areas) !== String(other.areas)

function SettingsForm({ camera, initial }: { camera: Device; initial: SettingsFormValues }) {
  const { device_id, nickname } = camera
  const [name, setName] = useState(nickname)
  const [values, setValues] = useState(initial)
  const [saved, setSaved] = useState(initial)
  const { settings, areas } = values
  const { isBusy, run } = useAction()
  const hasChanges = settings !== saved.settings || haveAreasChanged(values, saved) || name.trim() !== nickname

  useEffect(() => {
    $hasUnsavedChanges.set(hasChanges)
    return () => $hasUnsavedChanges.set(false)
  }, [hasChanges])

  async function save(): Promise<Failure | null> {
    if (settings !== saved.settings) {
      const failure = await saveCameraSettings(device_id, settings)
      if (failure) return failure
      setSaved({ ...saved, settings })
    }
    if (areas && haveAreasChanged(values, saved)) {
      const failure = await saveCameraAreas(device_id, areas)
      if (failure) return failure
      setSaved(values)
    }
    return name.trim() === nickname ? null : renameOwnCamera(device_id, name.trim())
  }
  function onSubmit(event: FormEvent) {
    event.preventDefault()
    if (hasChanges) void run(save).then((isDone) => isDone && showToast('success', `${name.trim()} saved`))
  }

  return (
    <form className="settings-form" onSubmit={onSubmit}>
      <Field label="Name" required maxLength={60} value={name} onChange={({ target }) => setName(target.value)} />
      {areas && <AreaFields areas={areas} onChange={(next) => setValues({ ...values, areas: next })} />}
      <MotionFields
        deviceId={device_id}
        settings={settings}
        onChange={(next) => setValues({ ...values, settings: next })}
      />
      <footer>
        <small role="status">{hasChanges ? 'Unsaved changes' : 'All changes saved'}</small>
        <button type="submit" className="btn btn-primary" disabled={!hasChanges} aria-disabled={isBusy}>
          {isBusy ? 'Saving…' : 'Save'}
        </button>
      </footer>
    </form>
  )
}

function PositionRow({ camera: { device_id } }: { camera: Device }) {
  const cameras = useStore($liveCameras)
  const position = cameras.findIndex((camera) => camera.device_id === device_id)
  return (
    <div className="switch-row">
      <span>
        <b>Position</b>
        <small role="status">
          {position + 1} of {cameras.length}
        </small>
      </span>
      <span className="pair">
        <button
          type="button"
          className="btn btn-sm btn-outline"
          disabled={position === 0}
          onClick={() => moveCameraByOne(device_id, -1, cameras)}
        >
          Move up
        </button>
        <button
          type="button"
          className="btn btn-sm btn-outline"
          disabled={position === cameras.length - 1}
          onClick={() => moveCameraByOne(device_id, 1, cameras)}
        >
          Move down
        </button>
      </span>
    </div>
  )
}
