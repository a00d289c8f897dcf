import { getBillingInfo } from '../../../contract/billing/payment-methods-and-invoices.ts'
import { DEFAULT_REDEEM_SOURCE } from '../../../contract/billing/money.ts'
import { catalog, methods } from './plans.ts'
import type { AnyEarlyRequest, EarlyRequest } from '../early-request.ts'

const invoices: EarlyRequest<typeof getBillingInfo, true> = {
  call: getBillingInfo,
  fixed: {},
  params: { billing_provider: DEFAULT_REDEEM_SOURCE },
  about: () => true,
  input: () => ({ kind: 'invoices' }),
}

/** Early requests of the invoice list. */
export const BILLING_EARLY_REQUESTS: readonly AnyEarlyRequest[] = [invoices]
/** Early requests of a printed invoice, which also shows the tax rate and the next charge. */
export const INVOICE_EARLY_REQUESTS: readonly AnyEarlyRequest[] = [invoices, methods, catalog]
