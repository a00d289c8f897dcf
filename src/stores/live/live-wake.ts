import { runAction } from '../../../contract/live.ts'
import { request } from '../../api/client.ts'
import { $cameras } from './live-page.ts'

/** Wakes a battery camera (CALL-31). A failure shows on its tile alone, never as a toast (LIVE-14, OPEN-53). */
export async function wakeUp(deviceId: string): Promise<boolean> {
  const camera = $cameras.get().find(({ device_id }) => device_id === deviceId)
  if (!camera) return false
  const answer = await request(runAction, {
    targetInfo: { id: deviceId, type: 'DEVICE', productModel: camera.device_model },
    capabilities: [{ name: 'wakeup', functions: [{ name: 'wakeup-live-view' }] }],
    transactionId: crypto.randomUUID(),
  })
  return answer.ok
}
