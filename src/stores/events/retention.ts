import { atom } from 'nanostores'
import { retentionPolicy } from '../../../contract/events/event-calls.ts'
import { request } from '../../api/api-client.ts'
import type { Kept, KeptByCamera } from '../../domain/copy/retention.ts'

/** How long events are kept: the longest of the cameras that the user may see, and each of them. */
export type Retention = Kept & KeptByCamera

/** Null while it is not known. */
export const $retention = atom<Retention | null>(null)

let asked = false

/** Asks once; a failure is asked again the next time. */
export async function loadRetention(): Promise<void> {
  if (asked) return
  asked = true
  const answer = await request(retentionPolicy, { include_shared: 'true' })
  asked = answer.ok
  if (!answer.ok) return
  const { days, kept_since, devices } = answer.data
  const own = { days, keptSince: kept_since }
  const cameras = devices.map((one) => ({ deviceId: one.device_id, days: one.days, keptSince: one.kept_since }))
  const longest = [own, ...cameras].reduce((most, one) => (one.keptSince < most.keptSince ? one : most))
  $retention.set({ days: longest.days, keptSince: longest.keptSince, own, cameras })
}

/** Asks again, where it was asked before. */
export async function reloadRetention(): Promise<void> {
  if (!asked) return
  asked = false
  await loadRetention()
}
