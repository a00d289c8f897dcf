import { getSubscriptions } from '../../../contract/billing/subscriptions.ts'
import { homeQuestions } from './live.ts'
import type { AnyQuestion, EarlyRequest } from '../early-request.ts'

/** Early request for the subscriptions of the last user, if this browser still stores that user's session. */
const subscriptions: EarlyRequest<typeof getSubscriptions, true> = {
  call: getSubscriptions,
  fixed: {},
  kept: { uuid: 'userId' },
  about: () => true,
  input: () => ({}),
}

/** Early requests of pages about plans and payment. */
export const ACCOUNT_FIRST: readonly AnyQuestion[] = [subscriptions]
/** Early requests for plans and the cameras they cover. */
export const SERVICES_FIRST: readonly AnyQuestion[] = [subscriptions, ...homeQuestions]
