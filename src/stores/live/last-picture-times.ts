import { map } from 'nanostores'
import { requestNewSnapshot } from '../../../contract/live/camera-control-calls.ts'
import { request } from '../../api/api-client.ts'

/** Time of each camera's last picture, ms UTC, by device id; loaded for sleeping cameras. */
export const $pictureTimes = map<Record<string, number>>({})

/** Loads the time of a sleeping camera's last picture without waking the camera. A failure sets nothing. */
export async function loadPictureTime(deviceId: string): Promise<void> {
  const response = await request(requestNewSnapshot, { device_id: deviceId })
  if (response.ok && response.data.taken_at !== null) $pictureTimes.setKey(deviceId, response.data.taken_at)
}
