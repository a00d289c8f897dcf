import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { newerFirmware } from '../../../domain/live/firmware.ts'
import { $models, $supported, loadSupported } from '../../../stores/live/camera-models.ts'
import type { Device } from '../../../stores/home/devices.ts'
import { $liveCameras } from '../../../stores/live/live-page.ts'

/** Model, firmware and bridge of the camera. */
export function CameraFacts({ camera, bridge }: { camera: Device; bridge: string }) {
  const model = useStore($models)?.find(({ device_model }) => device_model === camera.device_model)
  const supported = useStore($supported)
  const newer = newerFirmware(camera, useStore($liveCameras))
  useEffect(() => void loadSupported(), [])
  return (
    <dl className="facts">
      <div>
        <dt>Model</dt>
        <dd>{model ? `${model.name} (${camera.device_model})` : camera.device_model}</dd>
      </div>
      <div>
        <dt>Firmware</dt>
        <dd>
          {camera.firmware_version || 'not known'}
          {newer && `. ${newer.nickname} has the newer ${newer.firmware_version}.`}
        </dd>
      </div>
      <div>
        <dt>Connected to</dt>
        <dd>{bridge === '' ? 'not known' : `Box “${bridge}”`}</dd>
      </div>
      {supported && supported.length > 0 && (
        <div>
          <dt>Cameras you can add</dt>
          <dd>{supported.join(', ')}</dd>
        </div>
      )}
    </dl>
  )
}
