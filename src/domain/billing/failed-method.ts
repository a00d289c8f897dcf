import type { PaymentMethod } from '../../../contract/billing/payment-methods-and-invoices.ts'
import type { Subscription } from '../../../contract/billing/subscriptions.ts'

type NamedMethod = Pick<PaymentMethod, 'brand' | 'last_four' | 'name'>

/** Returns true if the last charge of the open invoice failed with this method. */
export const isDeclinedMethod = (
  { brand, last_four, name }: NamedMethod,
  { method }: Pick<NonNullable<Subscription['open']>, 'method'>,
): boolean => method !== null && brand === method.brand && last_four === method.last_four && name === method.name
