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

/** What the list of bills and a printed one ask first. */
export const BILLING_FIRST: readonly AnyQuestion[] = [invoices]
