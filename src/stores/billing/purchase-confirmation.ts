import { atom } from 'nanostores'
import * as v from 'valibot'
import { activate } from '../../../contract/billing/licenses.ts'
import { order } from '../../../contract/billing/purchase.ts'
import { request } from '../../api/api-client.ts'
import { loadCoverage } from './load-license-assignments.ts'
import { type Failure, withFailureShown } from '../shell/report-failure.ts'
import { dropRouteParam } from '../shell/route-params.ts'
import { TAB_NOTES } from '../storage/billing-keys.ts'
import { tab } from '../storage/storage-keys.ts'

const note = v.object({
  order,
  /** Cameras that were covered, and retention in days, before the purchase. */
  before: v.object({ cameras: v.array(v.string()), days: v.number() }),
})
export type PurchaseConfirmation = v.InferOutput<typeof note>

/** Confirmation that the page shows; null before it has read one. */
export const $bought = atom<PurchaseConfirmation | null>(null)

/**
 * Lifetime of the stored confirmation, ms. It serves only the page after the purchase and its reload; later, the
 * Services page shows the plan.
 */
const FRESH_MS = 15 * 60_000

/**
 * Reads the confirmation of this tab's latest purchase. Returns false if there is none or it has expired. `now` is in
 * ms UTC.
 */
export function openBought(now: number): boolean {
  $bought.set(readBought(now))
  return $bought.get() !== null
}

function readBought(now: number): PurchaseConfirmation | null {
  try {
    const parsed = v.safeParse(note, JSON.parse(tab.read(TAB_NOTES.bought) ?? ''))
    if (parsed.success && now - parsed.output.order.at < FRESH_MS) {
      // The purchase has used any coupon.
      dropRouteParam('coupon')
      return parsed.output
    }
  } catch {
    // The note is not JSON.
  }
  tab.remove(TAB_NOTES.bought)
  return null
}

export async function coverCamera(subscriptionId: string, deviceId: string): Promise<Failure | null> {
  const answer = await withFailureShown(
    'toast',
    request(activate, { subscription_id: subscriptionId, device_macs: [deviceId] }),
  )
  if (!answer.ok) return answer
  await loadCoverage()
  return null
}
