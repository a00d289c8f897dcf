import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { findNewerFirmware } from '../../../domain/live/firmware.ts'
import { $models, $supportedModelNames, loadSupportedModels } from '../../../stores/live/camera-models.ts'
import type { Device } from '../../../stores/home/devices.ts'
import { $liveCameras } from '../../../stores/live/live-page.ts'

/** Model, firmware and bridge of the camera, and the models that can be added. */
export function CameraFacts({ camera, bridge }: { camera: Device; bridge: string }) {
  const model = useStore($models)?.find(({ device_model }) => device_model === camera.device_model)
  const supportedModels = useStore($supportedModelNames)
  const newerCamera = findNewerFirmware(camera, useStore($liveCameras))
  useEffect(() => void loadSupportedModels(), [])
  return (
    <dl className="facts">
      <div>
        <dt>Model</dt>
        <dd>{model ? `${model.name} (${camera.device_model})` : camera.device_model}</dd>
      </div>
      <div>
        <dt>Firmware</dt>
        <dd>
          {camera.firmware_version || 'Unknown'}
          {newerCamera && `. ${newerCamera.nickname} has version ${newerCamera.firmware_version}.`}
        </dd>
      </div>
      <div>
        <dt>Connected to</dt>
        <dd>{bridge === '' ? 'Unknown' : `Hub “${bridge}”`}</dd>
      </div>
      {supportedModels && supportedModels.length > 0 && (
        <div>
          <dt>Supported models</dt>
          <dd>{supportedModels.join(', ')}</dd>
        </div>
      )}
    </dl>
  )
}
