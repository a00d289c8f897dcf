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
  /** What was covered, and for how many days clips were kept, before. */
  before: v.object({ cameras: v.array(v.string()), days: v.number() }),
})
export type PurchaseConfirmation = v.InferOutput<typeof note>

/** What the page shows; null before it has looked. */
export const $bought = atom<PurchaseConfirmation | null>(null)

/** The note is for the page that follows the purchase and for its reload, ms; later the services say what there is. */
const FRESH_MS = 15 * 60_000

/** Looks what was bought just now in this tab; false where that is over. `now` in ms UTC. */
export function openBought(now: number): boolean {
  $bought.set(readBought(now))
  return $bought.get() !== null
}

function readBought(now: number): PurchaseConfirmation | null {
  try {
    const parsed = v.safeParse(note, JSON.parse(tab.read(TAB_NOTES.bought) ?? ''))
    if (parsed.success && now - parsed.output.order.at < FRESH_MS) {
      // Whatever coupon was paid with has been used.
      dropRouteParam('coupon')
      return parsed.output
    }
  } catch {
    // No JSON is no note.
  }
  tab.remove(TAB_NOTES.bought)
  return null
}

/** Gives a free licence to a camera. */
export async function coverCamera(subscriptionId: string, deviceId: string): Promise<Failure | null> {
  const answer = await withFailureShown(
    'toast',
    request(activate, { subscription_id: subscriptionId, device_macs: [deviceId] }),
  )
  if (!answer.ok) return answer
  await loadCoverage()
  return null
}
