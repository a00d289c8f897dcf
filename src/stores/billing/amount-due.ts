import { computed } from 'nanostores'
import type { Invoice } from '../../../contract/billing/payment-methods-and-invoices.ts'
import type { Subscription } from '../../../contract/billing/subscriptions.ts'
import { $invoices, loadInvoices } from './invoices.ts'
import { $subscriptions, loadSubscriptions } from './subscriptions.ts'

export interface AmountDue {
  readonly subscription: Subscription
  readonly open: NonNullable<Subscription['open']>
  /** Open invoice; null until the invoices have loaded, and if they failed to load. */
  readonly invoice: Invoice | null
  readonly isLoading: boolean
}

/** Unpaid charge of a plan; null if there is none, or before the subscriptions have loaded. */
export const $amountDue = computed([$subscriptions, $invoices], (subs, invoices): AmountDue | null => {
  const subscription = subs.state === 'ready' ? subs.subscriptions.find(({ open }) => open !== null) : undefined
  if (!subscription?.open) return null
  const bills = invoices.state === 'ready' ? invoices.bills : []
  const { subscription_id, open } = subscription
  const invoice = bills.find((bill) => bill.state === 'open' && bill.subscription_id === subscription_id) ?? null
  return { subscription, open, invoice, isLoading: invoices.state === 'loading' }
})

/** Loads the subscriptions and, if a charge is unpaid, the invoice with its tax and period. */
export async function loadAmountDue(): Promise<void> {
  await loadSubscriptions()
  if ($amountDue.get()?.isLoading) await loadInvoices()
}
