import { atom } from 'nanostores'
import * as v from 'valibot'
import { activateLicenses } from '../../../contract/billing/licenses.ts'
import { order } from '../../../contract/billing/purchase.ts'
import { request } from '../../api/api-client.ts'
import { reloadLicenses } from './load-license-assignments.ts'
import { type Failure, withFailureShown } from '../shell/report-failure.ts'
import { removeRouteParam } from '../shell/route-params.ts'
import { TAB_HANDOVER_KEYS } from '../storage/billing-keys.ts'
import { safeSessionStorage } from '../storage/storage-keys.ts'

const confirmationSchema = v.object({
  order,
  /** Cameras that were covered, and retention in days, before the purchase. */
  before: v.object({ cameras: v.array(v.string()), days: v.number() }),
})
export type PurchaseConfirmation = v.InferOutput<typeof confirmationSchema>

export const $purchaseConfirmation = atom<PurchaseConfirmation | null>(null)

/**
 * Lifetime of the stored confirmation, ms: enough for the confirmation page and its reload. Later, the Services page
 * shows the plan.
 */
const CONFIRMATION_LIFETIME_MS = 15 * 60_000

/**
 * Reads the confirmation of this tab's latest purchase into `$purchaseConfirmation`. Returns false if there is none or
 * it has expired. `now` is in ms UTC.
 */
export function openPurchaseConfirmation(now: number): boolean {
  $purchaseConfirmation.set(readPurchaseConfirmation(now))
  return $purchaseConfirmation.get() !== null
}

function readPurchaseConfirmation(now: number): PurchaseConfirmation | null {
  try {
    const parsed = v.safeParse(confirmationSchema, JSON.parse(safeSessionStorage.read(TAB_HANDOVER_KEYS.bought) ?? ''))
    if (parsed.success && now - parsed.output.order.at < CONFIRMATION_LIFETIME_MS) {
      // The purchase has used the stored coupon, if there was one.
      removeRouteParam('coupon')
      return parsed.output
    }
  } catch {
    // Nothing is stored, or the stored text is not JSON.
  }
  safeSessionStorage.remove(TAB_HANDOVER_KEYS.bought)
  return null
}

export async function assignLicenseToCamera(subscriptionId: string, deviceId: string): Promise<Failure | null> {
  const response = await withFailureShown(
    'toast',
    request(activateLicenses, { subscription_id: subscriptionId, device_macs: [deviceId] }),
  )
  if (!response.ok) return response
  await reloadLicenses()
  return null
}
