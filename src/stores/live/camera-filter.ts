import { confAndSetting, setCameraListFilter } from '../../../contract/cameras/device-models.ts'
import { request } from '../../api/api-client.ts'
import { type Failure, withFailureShown } from '../shell/report-failure.ts'
import { onFeed } from '../home/feed.ts'
import { $chosenCameras } from './live-layout.ts'

let saves = 0

/** Takes over what the account has chosen, maybe in another browser (OPEN-126); a failure keeps what is known. */
export async function loadCameraFilter(): Promise<void> {
  const before = saves
  const answer = await request(confAndSetting, {})
  // What was saved meanwhile is newer.
  if (answer.ok && before === saves) setChosenCameras(answer.data.setting.CameraListFilter?.filterCamerasMac ?? [])
}

/** Calls `changed` when a setting of the account has changed somewhere, or may have while nothing was heard. Ends with the returned function. */
export const watchSettings = (changed: () => void): (() => void) =>
  onFeed(({ type }) => void ((type === 'settings' || type === 'hello') && changed()))

/** Shows only these cameras from now on, none: all of them. After a failure nothing has changed. */
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
