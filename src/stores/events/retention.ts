import { atom } from 'nanostores'
import { retentionPolicy } from '../../../contract/events/event-calls.ts'
import { request } from '../../api/api-client.ts'
import type { RetentionPeriod, RetentionByCamera } from '../../domain/copy/retention.ts'

/**
 * Retention periods of the account's own plan (`own`) and of each visible camera (`cameras`). `days` and `keptSince`:
 * the longest of these periods.
 */
export type RetentionState = RetentionPeriod & RetentionByCamera

export const $retention = atom<RetentionState | null>(null)

let isRequested = false

/** Loads the retention periods once. After a failure, the next call retries. */
export async function loadRetention(): Promise<void> {
  if (isRequested) return
  isRequested = true
  const response = await request(retentionPolicy, { include_shared: 'true' })
  isRequested = response.ok
  if (!response.ok) return
  const { days, kept_since, devices } = response.data
  const ownRetention = { days, keptSince: kept_since }
  const cameras = devices.map((device) => ({
    deviceId: device.device_id,
    days: device.days,
    keptSince: device.kept_since,
    freedUntil: device.freed_until ?? null,
    maxDays: device.max_days ?? null,
  }))
  const longest = [ownRetention, ...cameras].reduce((earliest, entry) =>
    entry.keptSince < earliest.keptSince ? entry : earliest,
  )
  $retention.set({ days: longest.days, keptSince: longest.keptSince, own: ownRetention, cameras })
}

export async function reloadRetention(): Promise<void> {
  if (!isRequested) return
  isRequested = false
  await loadRetention()
}
