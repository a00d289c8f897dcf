import type { CameraSettings, MotionPreview } from '../../../contract/cameras/camera-settings.ts'
import {
  getBridges,
  getCameraSettings,
  removeCamera,
  renameCamera,
  setCameraPower,
  setCameraSettings,
  previewMotion,
} from '../../../contract/cameras/owner-calls.ts'
import { setResolution } from '../../../contract/live/camera-control-calls.ts'
import { request } from '../../api/api-client.ts'
import { createNoResponseFailure } from '../../api/result.ts'
import { $devices, type Device, reloadDevices } from '../home/devices.ts'
import { runUserAction, type Failure, type Outcome, showFailure, withFailureShown } from '../shell/report-failure.ts'
import { retryCamera } from './live-tiles.ts'

/** Loads a camera's owner settings for its panel. The panel shows a failure. */
export const loadCameraSettings = (deviceId: string): Promise<Outcome<CameraSettings>> =>
  withFailureShown('place', request(getCameraSettings, { device_id: deviceId }))

/** Returns the name of the camera's bridge; '' if unknown. */
export async function fetchBridgeName(deviceId: string): Promise<string> {
  const response = await request(getBridges, {})
  const bridges = response.ok ? response.data.bridges : []
  return bridges.find(({ cameras }) => cameras.some(({ device_id }) => device_id === deviceId))?.name ?? ''
}

const BRIDGE_UNREACHABLE_TEXTS = {
  bridge_off: 'Your hub is offline, so the settings can’t be tested. Make sure it’s on and connected, then try again.',
  no_answer: 'Your hub didn’t respond. Try again shortly. If this keeps happening, update the hub.',
}

/** Runs the motion preview for the last hour on the bridge, without saving the settings. The panel shows a failure. */
export async function previewMotionSettings(
  device_id: string,
  settings: CameraSettings,
): Promise<Outcome<MotionPreview>> {
  const response = await withFailureShown('place', request(previewMotion, { device_id, settings }))
  if (!response.ok) return response
  const { data } = response
  if (data.state === 'tried') return { ok: true, data }
  return showFailure(
    'place',
    { ...createNoResponseFailure('ERR_BAD_RESPONSE'), code: data.state },
    BRIDGE_UNREACHABLE_TEXTS[data.state],
  )
}

/** Saves the owner settings of a camera. A failure leaves them unchanged and appears as a toast. */
export const saveCameraSettings = (device_id: string, settings: CameraSettings): Promise<Failure | null> =>
  runUserAction(request(setCameraSettings, { device_id, settings }))

export async function renameOwnCamera(device_id: string, nickname: string): Promise<Failure | null> {
  const failure = await runUserAction(request(renameCamera, { device_id, nickname }))
  if (!failure) await reloadDevices()
  return failure
}

export async function setCameraPowerState(device_id: string, isOn: boolean): Promise<Failure | null> {
  const failure = await runUserAction(request(setCameraPower, { device_id, on: isOn }))
  if (failure) return failure
  const deviceState = $devices.get()
  if ('devices' in deviceState) {
    const iot_power = isOn ? 1 : 0
    const devices = deviceState.devices.map((camera) =>
      camera.device_id === device_id ? { ...camera, iot_power } : camera,
    )
    $devices.set({ ...deviceState, devices })
  }
  if (isOn) retryCamera(device_id)
  return null
}

export async function removeOwnCamera({ device_id, nickname }: Device): Promise<Failure | null> {
  const failure = await runUserAction(request(removeCamera, { device_id }), { done: `${nickname} removed` })
  if (!failure) await reloadDevices()
  return failure
}

/**
 * Sets a camera's rendition for all viewers and returns true on success. A failure is only logged (LIVE-15, OPEN-53).
 */
export async function setRenditionForAll(deviceId: string, resolution: string): Promise<boolean> {
  const response = await request(setResolution, { did: deviceId, resolution })
  if (!response.ok) console.debug('The resolution change failed.', response.code)
  return response.ok
}
