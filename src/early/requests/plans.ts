import { getBillingInfo } from '../../../contract/billing/payment-methods-and-invoices.ts'
import { DEFAULT_REDEEM_SOURCE } from '../../../contract/billing/money.ts'
import { simulatePlans } from '../../../contract/billing/payment-calls.ts'
import { ACCOUNT_EARLY_REQUESTS, SERVICES_EARLY_REQUESTS } from './account.ts'
import { priceEarlyRequest } from './price.ts'
import type { AnyEarlyRequest, EarlyRequest } from '../early-request.ts'

const params = { billing_provider: DEFAULT_REDEEM_SOURCE }

/** Early request of the plan catalog. */
export const catalog: EarlyRequest<typeof getBillingInfo, true> = {
  call: getBillingInfo,
  fixed: {},
  params,
  about: () => true,
  input: () => ({ kind: 'catalogue' }),
}

/** Early request of the payment methods and upcoming charges. */
export const methods: EarlyRequest<typeof getBillingInfo, true> = {
  call: getBillingInfo,
  fixed: {},
  params,
  about: () => true,
  input: () => ({ kind: 'payment_methods' }),
}

const planSimulation: EarlyRequest<typeof simulatePlans, true> = {
  call: simulatePlans,
  fixed: {},
  about: () => true,
  input: () => ({}),
}

export const PLAN_CHOOSER_EARLY_REQUESTS: readonly AnyEarlyRequest[] = [
  catalog,
  planSimulation,
  ...ACCOUNT_EARLY_REQUESTS,
]
/** Early requests of the plan page with this URL segment. The price is first, because the user waits for it. */
export const planPageEarlyRequests = (segment: string): readonly AnyEarlyRequest[] => [
  priceEarlyRequest(segment),
  catalog,
  methods,
  planSimulation,
  ...SERVICES_EARLY_REQUESTS,
]
export const OVERVIEW_EARLY_REQUESTS: readonly AnyEarlyRequest[] = [methods, ...SERVICES_EARLY_REQUESTS]
