import { sendCommand } from '../../../contract/live/live-calls.ts'
import { request } from '../../api/api-client.ts'

/**
 * Swaps the two pictures of a dual camera for all who watch it (CALL-42). The pictures themselves show it;
 * a failure is only logged (LIVE-16, OPEN-53).
 */
export async function swapPictures(deviceId: string): Promise<void> {
  await request(sendCommand, { did: deviceId, action: 'exchange_pip', params: 'pip' })
}
