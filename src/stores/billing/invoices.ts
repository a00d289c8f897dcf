import { atom } from 'nanostores'
import { billingInfo, type Invoice, type Seller } from '../../../contract/billing/payment-methods-and-invoices.ts'
import { DEFAULT_REDEEM_SOURCE } from '../../../contract/billing/money.ts'
import { request } from '../../api/api-client.ts'
import { type Failure, withFailureShown } from '../shell/report-failure.ts'

/** Invoices, newest first, and their seller. */
export type Bills =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly bills: readonly Invoice[]; readonly seller: Seller }
  | { readonly state: 'failed'; readonly failure: Failure }

export const $bills = atom<Bills>({ state: 'loading' })

const NOT_KNOWN = 'Your bills could not be loaded. All of them are kept; try again in a moment.'

/** Reloads the invoices; the current list stays until the response, and after a failure. */
export async function loadBills(): Promise<void> {
  if ($bills.get().state === 'failed') $bills.set({ state: 'loading' })
  const params = { billing_provider: DEFAULT_REDEEM_SOURCE }
  const answer = await withFailureShown('place', request(billingInfo, { kind: 'invoices' }, { params }), NOT_KNOWN)
  if (answer.ok && answer.data.kind === 'invoices')
    $bills.set({ state: 'ready', bills: answer.data.invoices, seller: answer.data.seller })
  if (!answer.ok && $bills.get().state !== 'ready') $bills.set({ state: 'failed', failure: answer })
}
