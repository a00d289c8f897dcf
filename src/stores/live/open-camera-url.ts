import { $devices } from '../home/devices.ts'
import { $alone, CAMERA_PARAM, leaveAlone } from './live-layout.ts'
import { showToast } from '../shell/toasts.ts'

/** Marks a history entry that opening a camera created: Back returns to all cameras. */
const OPENED = 'cameraOpened'

/**
 * Keeps the camera that is shown alone in the URL, for copying and reloading. Back returns to all cameras, even after
 * switching cameras. Returns a function that stops the sync.
 */
export function syncOpenCameraWithUrl(): () => void {
  const onPop = () => $alone.set(named())
  addEventListener('popstate', onPop)
  const stops = [
    () => removeEventListener('popstate', onPop),
    $alone.listen(name),
    $devices.subscribe((now) => {
      const alone = $alone.get()
      if (now.state !== 'ready' || alone === '' || now.devices.some(({ device_id }) => device_id === alone)) return
      leaveAlone()
      showToast('warning', 'This camera is not among yours. Here are all that are.')
    }),
  ]
  return () => stops.forEach((stop) => stop())
}

const named = () => new URLSearchParams(location.search).get(CAMERA_PARAM) ?? ''

function name(deviceId: string): void {
  const before = named()
  if (before === deviceId) return
  const state = history.state as Record<string, unknown> | null
  if (deviceId === '' && state?.[OPENED]) return history.back()
  const address = new URL(location.href)
  if (deviceId) address.searchParams.set(CAMERA_PARAM, deviceId)
  else address.searchParams.delete(CAMERA_PARAM)
  if (before === '') history.pushState({ ...state, [OPENED]: true }, '', address)
  else history.replaceState(state, '', address)
}
