import { atom } from 'nanostores'
import { retentionPolicy } from '../../../contract/event-details.ts'
import { request } from '../../api/client.ts'

/** How long events are kept: the longest of the cameras that the user may see. */
export interface Retention {
  readonly days: number
  /** ms UTC; what is older is not shown. */
  readonly keptSince: number
}

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
  const all = [{ days, kept_since }, ...devices]
  const longest = all.reduce((most, one) => (one.kept_since < most.kept_since ? one : most))
  $retention.set({ days: longest.days, keptSince: longest.kept_since })
}
