import { getSubscriptions } from '../../../contract/billing/subscriptions.ts'
import { HOME_EARLY_REQUESTS } from './live.ts'
import type { AnyEarlyRequest, EarlyRequest } from '../early-request.ts'

/** Early request for the subscriptions of the last user, if this browser still stores that user's session. */
const subscriptions: EarlyRequest<typeof getSubscriptions, true> = {
  call: getSubscriptions,
  fixed: {},
  kept: { uuid: 'userId' },
  about: () => true,
  input: () => ({}),
}

/** Early requests of pages about plans and payment. */
export const ACCOUNT_EARLY_REQUESTS: readonly AnyEarlyRequest[] = [subscriptions]
/** Early requests for plans and the cameras they cover. */
export const SERVICES_EARLY_REQUESTS: readonly AnyEarlyRequest[] = [subscriptions, ...HOME_EARLY_REQUESTS]
