import type { Invoice, PaymentMethod, UpcomingCharge } from '../../../contract/billing/payment-methods-and-invoices.ts'
import { formatMoney } from '../../../contract/billing/amounts.ts'
import { shortDayWithYearLabel } from '../time/date-formats.ts'
import { chargeName, methodName } from './payment-methods.ts'

/** Returns true if no newer invoice of the plan exists and this one is paid. `invoices`: newest first. */
export function isLatestPaidInvoice({ bill, state, subscription_id }: Invoice, invoices: readonly Invoice[]): boolean {
  const latest = invoices.find((other) => other.kind === 'invoice' && other.subscription_id === subscription_id)
  return subscription_id !== null && state === 'paid' && latest?.bill === bill
}

interface PaymentOverview {
  readonly methods: readonly PaymentMethod[]
  readonly upcoming: readonly UpcomingCharge[]
  /** Account balance, cents. */
  readonly balance: number
}

/**
 * Describes the next charge of the plan of an invoice: date, amount, plan and payment method. Returns an empty list if
 * the plan has no further charge.
 */
export function listNextChargeTexts(
  { subscription_id, currency }: Invoice,
  { methods, upcoming, balance }: PaymentOverview,
): string[] {
  const next = upcoming.find((charge) => charge.subscription_id === subscription_id)
  if (!next) return []
  const method = methods.find(({ method_id }) => method_id === next.method_id)
  const amount = `${formatMoney(next.due, currency)} ${balance > 0 ? 'after tax and balance' : 'with tax'}`
  return [
    `${shortDayWithYearLabel(next.at)}, ${amount}`,
    `${chargeName(next)}, ${method ? methodName(method) : 'no payment method'}`,
  ]
}
