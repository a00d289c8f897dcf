import { atom } from 'nanostores'
import { getBillingInfo, type Invoice, type Seller } from '../../../contract/billing/payment-methods-and-invoices.ts'
import { DEFAULT_REDEEM_SOURCE } from '../../../contract/billing/money.ts'
import { request } from '../../api/api-client.ts'
import { type Failure, withFailureShown } from '../shell/report-failure.ts'

/** State of the invoice list: the invoices, newest first, and their seller. */
export type InvoicesState =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly bills: readonly Invoice[]; readonly seller: Seller }
  | { readonly state: 'failed'; readonly failure: Failure }

export const $invoices = atom<InvoicesState>({ state: 'loading' })

const INVOICES_FAILED_TEXT = 'We couldn’t load your invoices. Nothing has changed on your account. Try again shortly.'

/** Reloads the invoices. The current list stays until the response arrives, and after a failure. */
export async function loadInvoices(): Promise<void> {
  if ($invoices.get().state === 'failed') $invoices.set({ state: 'loading' })
  const params = { billing_provider: DEFAULT_REDEEM_SOURCE }
  const response = await withFailureShown(
    'place',
    request(getBillingInfo, { kind: 'invoices' }, { params }),
    INVOICES_FAILED_TEXT,
  )
  if (response.ok && response.data.kind === 'invoices')
    $invoices.set({ state: 'ready', bills: response.data.invoices, seller: response.data.seller })
  if (!response.ok && $invoices.get().state !== 'ready') $invoices.set({ state: 'failed', failure: response })
}
