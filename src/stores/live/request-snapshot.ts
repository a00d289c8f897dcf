import { askSnapshot } from '../../../contract/live/live-calls.ts'
import { request } from '../../api/api-client.ts'
import type { Snapshot } from '../../media/live/snapshot-player.ts'

/** Requests a new snapshot of a camera; null on failure, which its tile shows. */
export async function fetchSnapshot(deviceId: string): Promise<Snapshot | null> {
  const answer = await request(askSnapshot, { device_id: deviceId })
  return answer.ok ? { takenAt: answer.data.taken_at, address: `/m/last/${deviceId}` } : null
}
