import { getSubscriptions } from '../../../contract/billing/subscriptions.ts'
import { homeQuestions } from './live.ts'
import type { AnyQuestion, EarlyRequest } from '../early-request.ts'

/** The plans of whoever was here last, where this browser still has a session of theirs. */
const subscriptions: EarlyRequest<typeof getSubscriptions, true> = {
  call: getSubscriptions,
  fixed: {},
  kept: { uuid: 'userId' },
  about: () => true,
  input: () => ({}),
}

/** What pages about plans and payment ask first. */
export const ACCOUNT_FIRST: readonly AnyQuestion[] = [subscriptions]
/** The same, beside the cameras that plans cover. */
export const SERVICES_FIRST: readonly AnyQuestion[] = [subscriptions, ...homeQuestions]
