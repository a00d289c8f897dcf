import type { CameraSettings, MotionTrial } from '../../../contract/bridge.ts'
import type { Call, RequestOf } from '../../../contract/call.ts'
import {
  getBridges,
  getCameraSettings,
  removeCamera,
  renameCamera,
  setCameraPower,
  setCameraSettings,
  tryMotion,
} from '../../../contract/owner.ts'
import { setResolution } from '../../../contract/live.ts'
import { request } from '../../api/client.ts'
import { $devices } from '../home/devices.ts'
import { reloadDevices } from './live-reload.ts'
import { failureText } from '../shell/failure-text.ts'
import { retryCamera } from './live-tiles.ts'

export type Loaded<T> = { state: 'ready'; value: T } | { state: 'failed'; text: string }

export async function loadSettings(deviceId: string): Promise<Loaded<CameraSettings>> {
  const answer = await request(getCameraSettings, { device_id: deviceId }, { silent: true })
  return answer.ok ? { state: 'ready', value: answer.data } : { state: 'failed', text: failureText(answer) }
}

/** Name of the bridge that the camera is connected to, '' when it is not known. */
export async function bridgeOf(deviceId: string): Promise<string> {
  const answer = await request(getBridges, {}, { silent: true })
  const bridges = answer.ok ? answer.data.bridges : []
  return bridges.find(({ cameras }) => cameras.some(({ device_id }) => device_id === deviceId))?.name ?? ''
}

const BRIDGE_SILENT = {
  bridge_off:
    'The bridge of this camera is not connected, so nothing can be tried. See that it is on and online, then try again.',
  no_answer: 'The bridge did not answer. Try again in a moment; if it stays like this, update the bridge.',
}

/** Asks the bridge what settings would have made of the last hour; nothing is saved. */
export async function tryOnLastHour(device_id: string, settings: CameraSettings): Promise<Loaded<MotionTrial>> {
  const answer = await request(tryMotion, { device_id, settings }, { silent: true })
  if (!answer.ok) return { state: 'failed', text: failureText(answer) }
  if (answer.data.state !== 'tried') return { state: 'failed', text: BRIDGE_SILENT[answer.data.state] }
  return { state: 'ready', value: answer.data }
}

/** These change a camera and answer '' or one sentence; then nothing has changed. */
export const saveSettings = (device_id: string, settings: CameraSettings): Promise<string> =>
  act(setCameraSettings, { device_id, settings })

export async function rename(device_id: string, nickname: string): Promise<string> {
  const text = await act(renameCamera, { device_id, nickname })
  if (text === '') await reloadDevices()
  return text
}

export async function switchPower(device_id: string, on: boolean): Promise<string> {
  const text = await act(setCameraPower, { device_id, on })
  if (text !== '') return text
  const now = $devices.get()
  if ('devices' in now) {
    const iot_power = on ? 1 : 0
    const devices = now.devices.map((camera) => (camera.device_id === device_id ? { ...camera, iot_power } : camera))
    $devices.set({ ...now, devices })
  }
  if (on) retryCamera(device_id)
  return ''
}

export async function remove(device_id: string): Promise<string> {
  const text = await act(removeCamera, { device_id })
  if (text === '') await reloadDevices()
  return text
}

/** Chooses a rendition for all who watch. A failure is for the log only, the choice snaps back (LIVE-15, OPEN-53). */
export async function chooseRendition(did: string, resolution: string): Promise<boolean> {
  const answer = await request(setResolution, { did, resolution }, { silent: true })
  if (!answer.ok) console.debug('The resolution was not changed.', answer.code)
  return answer.ok
}

async function act<C extends Call>(call: C, input: RequestOf<C>): Promise<string> {
  const answer = await request(call, input, { silent: true })
  return answer.ok ? '' : failureText(answer)
}
