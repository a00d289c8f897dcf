import { useId } from 'react'
import type { CameraSettings } from '../../../../contract/cameras/camera-settings.ts'
import { MotionPreviewPanel } from './MotionPreview.tsx'
import { ZoneEditor } from './ZoneEditor.tsx'

interface MotionFieldsProps {
  deviceId: string
  settings: CameraSettings
  onChange: (settings: CameraSettings) => void
}

/** Motion settings: when motion creates an event, and in which zones. */
export function MotionFields({ deviceId, settings, onChange }: MotionFieldsProps) {
  const id = useId()
  const { motion, sensitivity, zones } = settings
  return (
    <>
      <label className="switch-row">
        <span>
          <b>Record motion</b>
          <small>When off, nothing is recorded.</small>
        </span>
        <input
          type="checkbox"
          role="switch"
          checked={motion}
          onChange={() => onChange({ ...settings, motion: !motion })}
        />
      </label>
      {motion && (
        <>
          <label htmlFor={id}>Sensitivity: {sensitivity} of 100</label>
          <input
            id={id}
            className="range"
            type="range"
            min="0"
            max="100"
            step="5"
            value={sensitivity}
            onChange={({ target }) => onChange({ ...settings, sensitivity: Number(target.value) })}
          />
          <ZoneEditor deviceId={deviceId} zones={zones} onChange={(next) => onChange({ ...settings, zones: next })} />
          <MotionPreviewPanel deviceId={deviceId} settings={settings} />
        </>
      )}
    </>
  )
}
