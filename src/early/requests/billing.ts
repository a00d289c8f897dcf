import { getBillingInfo } from '../../../contract/billing/payment-methods-and-invoices.ts'
import { DEFAULT_REDEEM_SOURCE } from '../../../contract/billing/money.ts'
import type { AnyEarlyRequest, EarlyRequest } from '../early-request.ts'

const invoices: EarlyRequest<typeof getBillingInfo, true> = {
  call: getBillingInfo,
  fixed: {},
  params: { billing_provider: DEFAULT_REDEEM_SOURCE },
  about: () => true,
  input: () => ({ kind: 'invoices' }),
}

/** Early requests of the invoice list and of a printed invoice. */
export const BILLING_EARLY_REQUESTS: readonly AnyEarlyRequest[] = [invoices]
