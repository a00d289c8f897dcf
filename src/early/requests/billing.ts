import { billingInfo } from '../../../contract/billing/payment-methods-and-invoices.ts'
import { DEFAULT_REDEEM_SOURCE } from '../../../contract/billing/money.ts'
import type { AnyQuestion, EarlyRequest } from '../early-request.ts'

const invoices: EarlyRequest<typeof billingInfo, true> = {
  call: billingInfo,
  fixed: {},
  params: { billing_provider: DEFAULT_REDEEM_SOURCE },
  about: () => true,
  input: () => ({ kind: 'invoices' }),
}

/** Early requests of the invoice list and of a printed invoice. */
export const BILLING_FIRST: readonly AnyQuestion[] = [invoices]
