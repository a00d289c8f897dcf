import { confAndSetting, setCameraListFilter } from '../../../contract/cameras/device-models.ts'
import { request } from '../../api/api-client.ts'
import { type Failure, withFailureShown } from '../shell/report-failure.ts'
import { onFeed } from '../home/feed.ts'
import { $chosenCameras } from './live-layout.ts'

let saves = 0

/**
 * Loads the account's camera filter, which another browser may have changed (OPEN-126). On failure the known filter
 * stays.
 */
export async function loadCameraFilter(): Promise<void> {
  const before = saves
  const answer = await request(confAndSetting, {})
  // A filter saved in the meantime is newer than this response.
  if (answer.ok && before === saves) setChosenCameras(answer.data.setting.CameraListFilter?.filterCamerasMac ?? [])
}

/**
 * Calls `changed` when account settings change elsewhere, and whenever the home feed connects, because they may have
 * changed while it was disconnected. Returns an unsubscribe function.
 */
export const watchSettings = (changed: () => void): (() => void) =>
  onFeed(({ type }) => void ((type === 'settings' || type === 'hello') && changed()))

/**
 * Saves the account's camera filter: only these cameras are listed; an empty list shows all. After a failure, nothing
 * has changed.
 */
export async function saveCameraFilter(filterCamerasMac: string[]): Promise<Failure | null> {
  const answer = await withFailureShown('toast', request(setCameraListFilter, { filterCamerasMac }))
  if (!answer.ok) return answer
  saves += 1
  setChosenCameras(answer.data.filterCamerasMac)
  return null
}

function setChosenCameras(ids: readonly string[]): void {
  if (ids.join() !== $chosenCameras.get().join()) $chosenCameras.set(ids)
}
