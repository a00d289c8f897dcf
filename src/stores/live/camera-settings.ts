import type { CameraSettings, MotionTrial } from '../../../contract/cameras/camera-settings.ts'
import {
  getBridges,
  getCameraSettings,
  removeCamera,
  renameCamera,
  setCameraPower,
  setCameraSettings,
  tryMotion,
} from '../../../contract/cameras/owner-calls.ts'
import { setResolution } from '../../../contract/live/live-calls.ts'
import { request } from '../../api/api-client.ts'
import { noAnswer } from '../../api/result.ts'
import { $devices, type Device, reloadDevices } from '../home/devices.ts'
import { runUserAction, type Failure, type Outcome, showFailure, withFailureShown } from '../shell/report-failure.ts'
import { retryCamera } from './live-tiles.ts'

/** Loads a camera's owner settings for its panel, which shows a failure. */
export const loadSettings = (deviceId: string): Promise<Outcome<CameraSettings>> =>
  withFailureShown('place', request(getCameraSettings, { device_id: deviceId }))

/** Returns the name of the camera's bridge; '' if unknown. */
export async function fetchBridgeName(deviceId: string): Promise<string> {
  const answer = await request(getBridges, {})
  const bridges = answer.ok ? answer.data.bridges : []
  return bridges.find(({ cameras }) => cameras.some(({ device_id }) => device_id === deviceId))?.name ?? ''
}

const BRIDGE_SILENT = {
  bridge_off:
    'The box at home is not connected, so nothing can be tried. See that it is on and online, then try again.',
  no_answer: 'The box at home did not answer. Try again in a moment; if it stays like this, update the box.',
}

/** Runs the motion preview on the bridge for the last hour without saving the settings. The panel shows a failure. */
export async function tryOnLastHour(device_id: string, settings: CameraSettings): Promise<Outcome<MotionTrial>> {
  const answer = await withFailureShown('place', request(tryMotion, { device_id, settings }))
  if (!answer.ok) return answer
  const { data } = answer
  if (data.state === 'tried') return { ok: true, data }
  return showFailure('place', { ...noAnswer('ERR_BAD_RESPONSE'), code: data.state }, BRIDGE_SILENT[data.state])
}

/** The functions below change a camera; on failure nothing has changed. */
export const saveSettings = (device_id: string, settings: CameraSettings): Promise<Failure | null> =>
  runUserAction(request(setCameraSettings, { device_id, settings }))

export async function rename(device_id: string, nickname: string): Promise<Failure | null> {
  const failure = await runUserAction(request(renameCamera, { device_id, nickname }))
  if (!failure) await reloadDevices()
  return failure
}

export async function switchPower(device_id: string, on: boolean): Promise<Failure | null> {
  const failure = await runUserAction(request(setCameraPower, { device_id, on }))
  if (failure) return failure
  const now = $devices.get()
  if ('devices' in now) {
    const iot_power = on ? 1 : 0
    const devices = now.devices.map((camera) => (camera.device_id === device_id ? { ...camera, iot_power } : camera))
    $devices.set({ ...now, devices })
  }
  if (on) retryCamera(device_id)
  return null
}

export async function removeOwnCamera({ device_id, nickname }: Device): Promise<Failure | null> {
  const failure = await runUserAction(request(removeCamera, { device_id }), { done: `${nickname} was removed.` })
  if (!failure) await reloadDevices()
  return failure
}

/** Sets a rendition for all viewers. A failure is only logged, and the choice reverts (LIVE-15, OPEN-53). */
export async function chooseRendition(did: string, resolution: string): Promise<boolean> {
  const answer = await request(setResolution, { did, resolution })
  if (!answer.ok) console.debug('The resolution was not changed.', answer.code)
  return answer.ok
}
