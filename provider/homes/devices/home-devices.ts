import type { RegisterCameraRequest, WelcomeCamera } from '../../../contract/bridge/bridge-protocol.ts'
import type { CameraSettings } from '../../../contract/cameras/camera-settings.ts'
import type { CameraArea } from '../../../contract/cameras/camera-areas.ts'
import type { CameraState, WireDevice } from '../../../contract/cameras/devices.ts'
import type { HomeContext } from '../feed/home-context.ts'
import { resolveEntitlements } from '../../billing/plans/entitlements.ts'
import type { HomeRequester } from '../../billing/plans/event-visibility.ts'
import * as choices from './device-settings-rows.ts'
import * as devices from './device-rows.ts'
import { readCameraAreas, writeCameraAreas } from './camera-area-rows.ts'
import { listStateRuns, moveRunStart, recordStateRun, type StateRun } from './state-history-rows.ts'

export class HomeDevices {
  readonly #home: HomeContext

  constructor(home: HomeContext) {
    this.#home = home
  }

  async list({ userId, plans, now }: HomeRequester): Promise<WireDevice[]> {
    const { sql, access, env, bridgeChecks } = this.#home
    await bridgeChecks.checkAll(now)
    const entitlements = resolveEntitlements(plans, access.findVisibleCameras(userId) ?? [], now)
    return devices.listDeviceRows(sql).flatMap((row) => {
      const own = entitlements.get(row.device_id)
      return own
        ? devices.toWireDevice(row, access.findCameraRole(userId, row.device_id) ?? 0, own, env.PORTAL_ORIGIN)
        : []
    })
  }

  listIds(): string[] {
    return devices.listDeviceRows(this.#home.sql).map((row) => row.device_id)
  }

  /** Returns the names of all cameras ever registered, including removed cameras. */
  listNames(): { device_id: string; nickname: string }[] {
    return devices.listAllDeviceNames(this.#home.sql)
  }

  /** Returns the streams of those cameras among `ids` that the account may see and that have live video. */
  listStreams(userId: string, ids: readonly string[]): devices.StreamInfo[] {
    const visible = this.#home.access.findVisibleCameras(userId) ?? []
    const rows = devices.listDeviceRows(this.#home.sql).filter(devices.hasRenditions)
    return rows.filter(({ device_id: id }) => ids.includes(id) && visible.includes(id)).map(devices.toStreamInfo)
  }

  /** Registers or updates a camera. Notifies open pages if anything changed. `now`: ms UTC. */
  put(bridgeId: string, deviceId: string, camera: RegisterCameraRequest, now: number): void {
    if (devices.putDevice(this.#home.sql, bridgeId, deviceId, camera, now)) this.#home.feed.push({ type: 'access' })
  }

  remove(deviceId: string, now: number): void {
    this.#home.feed.pushForCamera(deviceId, { type: 'access' })
    devices.hideDevice(this.#home.sql, deviceId, now)
  }

  setState(change: devices.CameraStateChange): void {
    const { from, ...deviceState } = change
    if (!devices.setDeviceState(this.#home.sql, deviceState)) return
    recordStateRun(this.#home.sql, deviceState.device_id, {
      state: deviceState.state,
      reason: deviceState.reason,
      from,
    })
    this.#home.feed.pushForCamera(deviceState.device_id, { type: 'camera-state', ...deviceState })
  }

  /** Moves the start of the camera's current state, if it is `state`, to a later time `from`, ms UTC. */
  moveStateStart(deviceId: string, state: CameraState, from: number): void {
    devices.moveStateStart(this.#home.sql, deviceId, state, from)
    moveRunStart(this.#home.sql, deviceId, state, from)
  }

  async listStateRuns(deviceId: string, begin: number, end: number): Promise<StateRun[]> {
    await this.#home.bridgeChecks.checkAll(Date.now())
    return listStateRuns(this.#home.sql, deviceId, begin, end)
  }

  setLastPicture(deviceId: string): void {
    devices.setLastPicture(this.#home.sql, deviceId)
  }

  listBridgeCameras(bridgeId: string): WelcomeCamera[] {
    return devices.listBridgeCameras(this.#home.sql, bridgeId)
  }

  setPower(deviceId: string, on: boolean): void {
    choices.setPower(this.#home.sql, deviceId, on)
    this.#home.feed.pushForCamera(deviceId, { type: 'access' })
  }

  setRendition(deviceId: string, name: string): boolean {
    return choices.storeRendition(this.#home.sql, deviceId, name)
  }

  swapLenses(deviceId: string): boolean | null {
    return choices.swapLenses(this.#home.sql, deviceId)
  }

  readSettings(deviceId: string): CameraSettings {
    return choices.readCameraSettings(this.#home.sql, deviceId)
  }

  setSettings(deviceId: string, settings: CameraSettings): string[] {
    const before = choices.readCameraSettings(this.#home.sql, deviceId)
    choices.writeSettings(this.#home.sql, deviceId, settings)
    const names = Object.keys(settings) as (keyof CameraSettings)[]
    return names.filter((name) => JSON.stringify(settings[name]) !== JSON.stringify(before[name]))
  }

  readAreas(deviceId: string): CameraArea[] {
    return readCameraAreas(this.#home.sql, deviceId)
  }

  setAreas(deviceId: string, areas: readonly CameraArea[]): boolean {
    return writeCameraAreas(this.#home.sql, deviceId, areas)
  }

  rename(deviceId: string, nickname: string): void {
    choices.renameDevice(this.#home.sql, deviceId, nickname)
    this.#home.feed.pushForCamera(deviceId, { type: 'access' })
  }

  order(ids: readonly string[]): void {
    this.#home.ctx.storage.transactionSync(() => choices.orderDevices(this.#home.sql, ids, this.listIds()))
    this.#home.feed.push({ type: 'access' })
  }
}
