import { useStore } from '@nanostores/react'
import { useEffect, useState, type FormEvent } from 'react'
import type { CameraSettings } from '../../../../contract/cameras/camera-settings.ts'
import type { CameraPlace } from '../../../../contract/cameras/camera-areas.ts'
import { $unsaved } from '../../../stores/live/camera-dialog.ts'
import { shiftCamera } from '../../../stores/live/camera-order.ts'
import { loadCameraAreas, savePlaces } from '../../../stores/live/camera-areas.ts'
import { fetchBridgeName, loadSettings, rename, saveSettings } from '../../../stores/live/camera-settings.ts'
import type { Device } from '../../../stores/home/devices.ts'
import { $liveCameras } from '../../../stores/live/live-page.ts'
import type { Failure, Outcome } from '../../../stores/shell/report-failure.ts'
import { showToast } from '../../../stores/shell/toasts.ts'
import { Field } from '../../../ui/Field.tsx'
import { Problem } from '../../../ui/InlineError.tsx'
import { useAct } from '../../../ui/use-action.ts'
import { CameraFacts } from './CameraFacts.tsx'
import { MotionFields } from './MotionFields.tsx'
import { PlaceFields } from './AreaFields.tsx'
import { RemoveCamera } from './RemoveCamera.tsx'

/** Owner settings of a camera. If saving fails, the input is kept. */
export function SettingsSection({ camera }: { camera: Device }) {
  const { device_id } = camera
  const [loaded, setLoaded] = useState<Outcome<CameraSettings> | null>(null)
  const [places, setPlaces] = useState<Outcome<CameraPlace[] | null> | null>(null)
  const [bridge, setBridge] = useState('')
  useEffect(() => {
    let isGone = false
    void loadSettings(device_id).then((answer) => isGone || setLoaded(answer))
    void loadCameraAreas(device_id).then((answer) => isGone || setPlaces(answer))
    void fetchBridgeName(device_id).then((name) => isGone || setBridge(name))
    return () => void (isGone = true)
  }, [device_id])
  const isLoading = loaded === null || (loaded.ok && places === null)
  return (
    <div className="camera-section">
      {isLoading && <p className="text-small">Loading …</p>}
      {loaded?.ok === false && <Problem failure={loaded} />}
      {loaded?.ok && places && (
        <Form camera={camera} initial={{ settings: loaded.data, places: places.ok ? places.data : null }} />
      )}
      {loaded?.ok && places?.ok === false && <Problem failure={places} />}
      <Position camera={camera} />
      <CameraFacts camera={camera} bridge={bridge} />
      <RemoveCamera camera={camera} />
    </div>
  )
}

interface Choices {
  readonly settings: CameraSettings
  /** null if the areas are unknown. */
  readonly places: CameraPlace[] | null
}
const arePlacesNew = (choices: Choices, other: Choices) => String(choices.places) !== String(other.places)

function Form({ camera, initial }: { camera: Device; initial: Choices }) {
  const { device_id, nickname } = camera
  const [name, setName] = useState(nickname)
  const [chosen, setChosen] = useState(initial)
  const [saved, setSaved] = useState(initial)
  const { settings, places } = chosen
  const { isBusy, run } = useAct()
  const isNew = settings !== saved.settings || arePlacesNew(chosen, saved) || name.trim() !== nickname

  useEffect(() => {
    $unsaved.set(isNew)
    return () => $unsaved.set(false)
  }, [isNew])

  async function save(): Promise<Failure | null> {
    if (settings !== saved.settings) {
      const refusal = await saveSettings(device_id, settings)
      if (refusal) return refusal
      setSaved({ ...saved, settings })
    }
    if (places && arePlacesNew(chosen, saved)) {
      const refusal = await savePlaces(device_id, places)
      if (refusal) return refusal
      setSaved(chosen)
    }
    return name.trim() === nickname ? null : rename(device_id, name.trim())
  }
  function onSubmit(event: FormEvent) {
    event.preventDefault()
    if (isNew) void run(save).then((isDone) => isDone && showToast('success', `${name.trim()} was saved.`))
  }

  return (
    <form className="settings-form" onSubmit={onSubmit}>
      <Field label="Name" required maxLength={60} value={name} onChange={({ target }) => setName(target.value)} />
      {places && <PlaceFields places={places} onChange={(next) => setChosen({ ...chosen, places: next })} />}
      <MotionFields
        deviceId={device_id}
        settings={settings}
        onChange={(next) => setChosen({ ...chosen, settings: next })}
      />
      <footer>
        <small role="status">{isNew ? 'Not saved yet.' : 'Everything is saved.'}</small>
        <button type="submit" className="btn btn-primary" disabled={!isNew} aria-disabled={isBusy}>
          {isBusy ? 'Saving' : 'Save'}
        </button>
      </footer>
    </form>
  )
}

/** Buttons that change the camera's position in the grid without dragging. */
function Position({ camera: { device_id } }: { camera: Device }) {
  const cameras = useStore($liveCameras)
  const at = cameras.findIndex((camera) => camera.device_id === device_id)
  return (
    <div className="switch-row">
      <span>
        <b>Place</b>
        <small role="status">
          {at + 1} of {cameras.length}
        </small>
      </span>
      <span className="pair">
        <button
          type="button"
          className="btn btn-sm btn-outline"
          disabled={at === 0}
          onClick={() => shiftCamera(device_id, -1, cameras)}
        >
          Earlier
        </button>
        <button
          type="button"
          className="btn btn-sm btn-outline"
          disabled={at === cameras.length - 1}
          onClick={() => shiftCamera(device_id, 1, cameras)}
        >
          Later
        </button>
      </span>
    </div>
  )
}
