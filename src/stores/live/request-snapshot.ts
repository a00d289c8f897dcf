import { requestNewSnapshot } from '../../../contract/live/camera-control-calls.ts'
import { request } from '../../api/api-client.ts'
import type { Snapshot } from '../../media/live/snapshot-player.ts'

/** Requests a new snapshot of a camera; null if the request failed. The tile shows a failure. */
export async function fetchSnapshot(deviceId: string): Promise<Snapshot | null> {
  const response = await request(requestNewSnapshot, { device_id: deviceId })
  return response.ok ? { takenAt: response.data.taken_at, url: `/m/last/${deviceId}` } : null
}
