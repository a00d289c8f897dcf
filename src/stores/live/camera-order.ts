import { orderCameras } from '../../../contract/cameras/owner-calls.ts'
import { request } from '../../api/api-client.ts'
import { OWNER } from '../../../contract/auth/roles.ts'
import { $devices, type Device, reloadDevices } from '../home/devices.ts'
import { withFailureShown } from '../shell/report-failure.ts'

const NOT_SAVED = 'The order was not saved. Try again in a moment.'

let isSaving = false
let isStale = false
/** Camera order before the first unsaved change, for restoring it after a failure. */
let saved: readonly string[] = []

/** True if the user can move this camera: they own it and at least one other camera. */
export function canMove(devices: readonly Device[], deviceId: string): boolean {
  const own = devices.filter(({ user_role }) => user_role === OWNER)
  return own.length > 1 && own.some(({ device_id }) => device_id === deviceId)
}

/**
 * Moves a camera to the position of another, first on the screen, then for the account. Returns false if that is not
 * possible.
 */
export function placeCamera(deviceId: string, targetId: string): boolean {
  const now = $devices.get()
  if (!('devices' in now) || !canMove(now.devices, deviceId)) return false
  const at = (id: string) => now.devices.findIndex(({ device_id }) => device_id === id)
  const [from, to] = [at(deviceId), at(targetId)]
  const moved = now.devices[from]
  if (!moved || to < 0 || from === to) return false
  if (!isSaving) saved = now.devices.map(({ device_id }) => device_id)
  const devices = now.devices.toSpliced(from, 1).toSpliced(to, 0, moved)
  $devices.set({ ...now, devices: devices.map((device, device_order) => ({ ...device, device_order })) })
  void save()
  return true
}

/** Sorts the cameras in this order, also for the account. Cameras that are not named follow in their current order. */
export function orderAs(ids: readonly string[]): void {
  const now = $devices.get()
  if (!('devices' in now) || !now.devices.some(({ device_id }) => canMove(now.devices, device_id))) return
  const at = ({ device_id }: Device) => (ids.includes(device_id) ? ids.indexOf(device_id) : ids.length)
  const devices = now.devices.toSorted((a, b) => at(a) - at(b))
  if (devices.every((device, index) => device === now.devices[index])) return
  if (!isSaving) saved = now.devices.map(({ device_id }) => device_id)
  $devices.set({ ...now, devices: devices.map((device, device_order) => ({ ...device, device_order })) })
  void save()
}

/** Moves a camera one position toward the start (-1) or the end (1) of `among`. Returns false if it cannot move. */
export function shiftCamera(deviceId: string, by: -1 | 1, among: readonly Device[]): boolean {
  const target = among[among.findIndex(({ device_id }) => device_id === deviceId) + by]
  return target !== undefined && placeCamera(deviceId, target.device_id)
}

/**
 * Saves the order with one call at a time; the last call sends the latest order. On failure, the list returns to the
 * account's order.
 */
async function save(): Promise<void> {
  isStale = true
  if (isSaving) return
  isSaving = true
  while (isStale) {
    isStale = false
    const answer = await withFailureShown('toast', request(orderCameras, { device_ids: ownIds() }), NOT_SAVED)
    if (answer.ok) continue
    isStale = false
    putBack()
    await reloadDevices()
  }
  isSaving = false
}

function putBack(): void {
  const now = $devices.get()
  if (!('devices' in now)) return
  const devices = now.devices.toSorted((a, b) => saved.indexOf(a.device_id) - saved.indexOf(b.device_id))
  $devices.set({ ...now, devices })
}

function ownIds(): string[] {
  const now = $devices.get()
  const devices = 'devices' in now ? now.devices : []
  return devices.filter(({ user_role }) => user_role === OWNER).map(({ device_id }) => device_id)
}
