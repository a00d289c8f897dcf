import { $singleCameraId, CAMERA_PARAM } from './live-layout.ts'

/**
 * State key of a history entry that the page added when the user opened a camera. From this entry, Back returns to all
 * cameras.
 */
const CAMERA_OPENED_STATE_KEY = 'cameraOpened'

/**
 * Keeps the URL in sync with the camera that is shown alone, for copying and reloading. Switching cameras adds no
 * history entry, so that Back returns to all cameras. Runs in the first load, so that a click adds its history entry
 * even before the camera view's code is there. Returns a function that stops the sync.
 */
export function syncOpenCameraWithUrl(): () => void {
  const onPopState = () => $singleCameraId.set(readCameraFromUrl())
  addEventListener('popstate', onPopState)
  const unsubscribe = $singleCameraId.listen(writeCameraToUrl)
  return () => {
    removeEventListener('popstate', onPopState)
    unsubscribe()
  }
}

const readCameraFromUrl = () => new URLSearchParams(location.search).get(CAMERA_PARAM) ?? ''

function writeCameraToUrl(deviceId: string): void {
  const currentId = readCameraFromUrl()
  if (currentId === deviceId) return
  const state = history.state as Record<string, unknown> | null
  if (deviceId === '' && state?.[CAMERA_OPENED_STATE_KEY]) return history.back()
  const url = new URL(location.href)
  if (deviceId) url.searchParams.set(CAMERA_PARAM, deviceId)
  else url.searchParams.delete(CAMERA_PARAM)
  if (currentId === '') history.pushState({ ...state, [CAMERA_OPENED_STATE_KEY]: true }, '', url)
  else history.replaceState(state, '', url)
}
