import { $devices } from '../home/devices.ts'
import { $alone, CAMERA_PARAM, leaveAlone } from './live-layout.ts'
import { showToast } from '../shell/toasts.ts'

/** Keeps the address of the page at the camera that stands alone, so that it can be copied and reloaded. */
export function followAlone(): () => void {
  const stops = [
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

function name(deviceId: string): void {
  const address = new URL(location.href)
  if (deviceId) address.searchParams.set(CAMERA_PARAM, deviceId)
  else address.searchParams.delete(CAMERA_PARAM)
  history.replaceState(history.state, '', address)
}
