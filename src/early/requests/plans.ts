import { billingInfo } from '../../../contract/billing/payment-methods-and-invoices.ts'
import { DEFAULT_REDEEM_SOURCE } from '../../../contract/billing/money.ts'
import { planTruth } from '../../../contract/billing/payment-calls.ts'
import { ACCOUNT_FIRST, SERVICES_FIRST } from './account.ts'
import type { AnyQuestion, Question } from '../early-request.ts'

const params = { billing_provider: DEFAULT_REDEEM_SOURCE }

const catalogue: Question<typeof billingInfo, true> = {
  call: billingInfo,
  fixed: {},
  params,
  about: () => true,
  input: () => ({ kind: 'catalogue' }),
}

const methods: Question<typeof billingInfo, true> = {
  call: billingInfo,
  fixed: {},
  params,
  about: () => true,
  input: () => ({ kind: 'payment_methods' }),
}

const truth: Question<typeof planTruth, true> = {
  call: planTruth,
  fixed: {},
  about: () => true,
  input: () => ({}),
}

/** What the chooser asks first. */
export const PLANS_FIRST: readonly AnyQuestion[] = [catalogue, truth, ...ACCOUNT_FIRST]
/** What the page of a plan asks first. */
export const PLAN_FIRST: readonly AnyQuestion[] = [catalogue, methods, truth, ...SERVICES_FIRST]
/** What the overview of the account asks first. */
export const OVERVIEW_FIRST: readonly AnyQuestion[] = [methods, ...SERVICES_FIRST]
