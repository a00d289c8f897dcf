import { getConfAndSetting, setCameraListFilter } from '../../../contract/cameras/device-models.ts'
import { request } from '../../api/api-client.ts'
import { type Failure, withFailureShown } from '../shell/report-failure.ts'
import { onFeed } from '../home/feed.ts'
import { $chosenCameras } from './live-layout.ts'

let saveCount = 0

/**
 * Loads the account's camera filter, which another browser may have changed (OPEN-126). A failure leaves the known
 * filter in place.
 */
export async function loadCameraFilter(): Promise<void> {
  const saveCountAtStart = saveCount
  const response = await request(getConfAndSetting, {})
  // If the user has saved a filter since the request, that filter is newer than this response.
  if (response.ok && saveCountAtStart === saveCount)
    setChosenCameras(response.data.setting.CameraListFilter?.filterCamerasMac ?? [])
}

/**
 * Calls `onChange` when account settings change, in any browser. Also calls it when the home feed connects, because the
 * page may have missed a change. Returns an unsubscribe function.
 */
export const watchAccountSettings = (onChange: () => void): (() => void) =>
  onFeed(({ type }) => void ((type === 'settings' || type === 'hello') && onChange()))

/**
 * Saves the account's camera filter: the page lists only these cameras; an empty list shows all. A failure changes
 * nothing.
 */
export async function saveCameraFilter(filterCamerasMac: string[]): Promise<Failure | null> {
  const response = await withFailureShown('toast', request(setCameraListFilter, { filterCamerasMac }))
  if (!response.ok) return response
  saveCount += 1
  setChosenCameras(response.data.filterCamerasMac)
  return null
}

function setChosenCameras(ids: readonly string[]): void {
  if (ids.join() !== $chosenCameras.get().join()) $chosenCameras.set(ids)
}
