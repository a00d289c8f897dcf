import { billingInfo } from '../../../contract/billing/payment-methods-and-invoices.ts'
import { DEFAULT_REDEEM_SOURCE } from '../../../contract/billing/money.ts'
import { simulatePlans } from '../../../contract/billing/payment-calls.ts'
import { ACCOUNT_FIRST, SERVICES_FIRST } from './account.ts'
import type { AnyQuestion, EarlyRequest } from '../early-request.ts'

const params = { billing_provider: DEFAULT_REDEEM_SOURCE }

const catalog: EarlyRequest<typeof billingInfo, true> = {
  call: billingInfo,
  fixed: {},
  params,
  about: () => true,
  input: () => ({ kind: 'catalogue' }),
}

const methods: EarlyRequest<typeof billingInfo, true> = {
  call: billingInfo,
  fixed: {},
  params,
  about: () => true,
  input: () => ({ kind: 'payment_methods' }),
}

const truth: EarlyRequest<typeof simulatePlans, true> = {
  call: simulatePlans,
  fixed: {},
  about: () => true,
  input: () => ({}),
}

/** Early requests of the plan chooser. */
export const PLANS_FIRST: readonly AnyQuestion[] = [catalog, truth, ...ACCOUNT_FIRST]
/** Early requests of a plan's page. */
export const PLAN_FIRST: readonly AnyQuestion[] = [catalog, methods, truth, ...SERVICES_FIRST]
export const OVERVIEW_FIRST: readonly AnyQuestion[] = [methods, ...SERVICES_FIRST]
