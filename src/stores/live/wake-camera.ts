import { runAction } from '../../../contract/live/camera-control-calls.ts'
import { request } from '../../api/api-client.ts'
import { $devices } from '../home/devices.ts'

/**
 * Wakes a battery camera (CALL-31) and returns true on success. A failure appears only on the camera's tile, never as a
 * toast (LIVE-14, OPEN-53).
 */
export async function wakeBatteryCamera(deviceId: string): Promise<boolean> {
  const list = $devices.get()
  const camera = 'devices' in list ? list.devices.find(({ device_id }) => device_id === deviceId) : undefined
  if (!camera) return false
  const response = await request(runAction, {
    targetInfo: { id: deviceId, type: 'DEVICE', productModel: camera.device_model },
    capabilities: [{ name: 'wakeup', functions: [{ name: 'wakeup-live-view' }] }],
    transactionId: crypto.randomUUID(),
  })
  return response.ok
}
