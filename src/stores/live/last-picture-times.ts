import { map } from 'nanostores'
import { askSnapshot } from '../../../contract/live/live-calls.ts'
import { request } from '../../api/api-client.ts'

/** When the last picture of a camera was taken, ms UTC, by device id; those of sleeping cameras are asked for. */
export const $pictureTimes = map<Record<string, number>>({})

/** Asks how old the picture of a sleeping camera is, which does not wake it. Where that fails nothing is said of it. */
export async function loadPictureTime(deviceId: string): Promise<void> {
  const answer = await request(askSnapshot, { device_id: deviceId })
  if (answer.ok && answer.data.taken_at !== null) $pictureTimes.setKey(deviceId, answer.data.taken_at)
}
