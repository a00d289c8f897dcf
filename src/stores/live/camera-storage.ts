import {
  getStorage,
  setStorageLimits,
  type CameraStorage,
  type HomeStorage,
  type StorageDeletion,
  type StorageLimits,
} from '../../../contract/cameras/storage-calls.ts'
import { request } from '../../api/api-client.ts'
import { runUserAction, type Failure, type Outcome, withFailureShown } from '../shell/report-failure.ts'

/** Loads the storage of the homes that the account owns. The panel shows a failure. */
export async function loadStorage(): Promise<Outcome<HomeStorage[]>> {
  const response = await withFailureShown('place', request(getStorage, {}))
  return response.ok ? { ok: true, data: response.data.homes } : response
}

/** Loads the storage of one camera; null if its home does not list the camera. The panel shows a failure. */
export async function loadCameraStorage(deviceId: string): Promise<Outcome<CameraStorage | null>> {
  const response = await loadStorage()
  if (!response.ok) return response
  const cameras = response.data.flatMap((home) => home.cameras)
  return { ok: true, data: cameras.find(({ device_id }) => device_id === deviceId) ?? null }
}

/** Returns what new limits would delete. The form shows a failure. */
export const previewStorageLimits = (device_id: string, limits: StorageLimits): Promise<Outcome<StorageDeletion>> =>
  withFailureShown('place', request(setStorageLimits, { device_id, ...limits, preview: true }))

/** Saves the limits of a camera, which deletes what exceeds them. A failure changes nothing and appears as a toast. */
export const saveStorageLimits = (device_id: string, limits: StorageLimits): Promise<Failure | null> =>
  runUserAction(request(setStorageLimits, { device_id, ...limits, preview: false }))
