import { sortCameras } from '../../../contract/cameras/owner-calls.ts'
import { request } from '../../api/api-client.ts'
import { OWNER_ROLE } from '../../../contract/auth/roles.ts'
import { $devices, type Device, reloadDevices } from '../home/devices.ts'
import { withFailureShown } from '../shell/report-failure.ts'

const SAVE_FAILED_TEXT = 'We couldn’t save the camera order. Try again shortly.'

let isSaving = false
let hasUnsavedOrder = false
/** Camera order before the moves that are being saved. The page restores it after a failure. */
let savedIds: readonly string[] = []

/** True if the user can move this camera: they own it and at least one other camera. */
export function canMoveCamera(devices: readonly Device[], deviceId: string): boolean {
  const ownDevices = devices.filter(({ user_role }) => user_role === OWNER_ROLE)
  return ownDevices.length > 1 && ownDevices.some(({ device_id }) => device_id === deviceId)
}

/**
 * Moves a camera to the position of another camera: first on the screen, then in the account. Returns false if the
 * camera cannot move.
 */
export function moveCamera(deviceId: string, targetId: string): boolean {
  const deviceState = $devices.get()
  if (!('devices' in deviceState) || !canMoveCamera(deviceState.devices, deviceId)) return false
  const findIndex = (id: string) => deviceState.devices.findIndex(({ device_id }) => device_id === id)
  const [from, to] = [findIndex(deviceId), findIndex(targetId)]
  const moved = deviceState.devices[from]
  if (!moved || to < 0 || from === to) return false
  if (!isSaving) savedIds = deviceState.devices.map(({ device_id }) => device_id)
  const devices = deviceState.devices.toSpliced(from, 1).toSpliced(to, 0, moved)
  $devices.set({ ...deviceState, devices: devices.map((device, device_order) => ({ ...device, device_order })) })
  void saveOrder()
  return true
}

/**
 * Sorts the cameras in the order of `ids`, on the screen and in the account; cameras that `ids` lacks follow in their
 * current order. Does nothing if the account owns fewer than two cameras.
 */
export function sortCamerasAs(ids: readonly string[]): void {
  const deviceState = $devices.get()
  if (
    !('devices' in deviceState) ||
    !deviceState.devices.some(({ device_id }) => canMoveCamera(deviceState.devices, device_id))
  )
    return
  const getPosition = ({ device_id }: Device) => (ids.includes(device_id) ? ids.indexOf(device_id) : ids.length)
  const devices = deviceState.devices.toSorted((a, b) => getPosition(a) - getPosition(b))
  if (devices.every((device, index) => device === deviceState.devices[index])) return
  if (!isSaving) savedIds = deviceState.devices.map(({ device_id }) => device_id)
  $devices.set({ ...deviceState, devices: devices.map((device, device_order) => ({ ...device, device_order })) })
  void saveOrder()
}

/** Moves a camera one position toward the start (-1) or the end (1) of `cameras`. Returns false if it cannot move. */
export function moveCameraByOne(deviceId: string, step: -1 | 1, cameras: readonly Device[]): boolean {
  const target = cameras[cameras.findIndex(({ device_id }) => device_id === deviceId) + step]
  return target !== undefined && moveCamera(deviceId, target.device_id)
}

/**
 * Saves the order with one call at a time; the last call sends the latest order. After a failure, restores the order
 * from before the unsaved moves and reloads the cameras.
 */
async function saveOrder(): Promise<void> {
  hasUnsavedOrder = true
  if (isSaving) return
  isSaving = true
  while (hasUnsavedOrder) {
    hasUnsavedOrder = false
    const response = await withFailureShown(
      'toast',
      request(sortCameras, { device_ids: listOwnCameraIds() }),
      SAVE_FAILED_TEXT,
    )
    if (response.ok) continue
    hasUnsavedOrder = false
    restoreSavedOrder()
    await reloadDevices()
  }
  isSaving = false
}

function restoreSavedOrder(): void {
  const deviceState = $devices.get()
  if (!('devices' in deviceState)) return
  const devices = deviceState.devices.toSorted((a, b) => savedIds.indexOf(a.device_id) - savedIds.indexOf(b.device_id))
  $devices.set({ ...deviceState, devices })
}

function listOwnCameraIds(): string[] {
  const deviceState = $devices.get()
  const devices = 'devices' in deviceState ? deviceState.devices : []
  return devices.filter(({ user_role }) => user_role === OWNER_ROLE).map(({ device_id }) => device_id)
}
