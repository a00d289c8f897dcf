import { sendCommand } from '../../../contract/live/camera-control-calls.ts'
import { request } from '../../api/api-client.ts'

/**
 * Swaps the two views of a dual-lens camera for all viewers (CALL-42). The video shows the result; a failure is only
 * logged (LIVE-16, OPEN-53).
 */
export async function swapLenses(deviceId: string): Promise<void> {
  await request(sendCommand, { did: deviceId, action: 'exchange_pip', params: 'pip' })
}
