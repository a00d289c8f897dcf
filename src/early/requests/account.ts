import { getSubscriptions } from '../../../contract/billing/subscriptions.ts'
import { HOME_EARLY_REQUESTS } from './devices.ts'
import type { AnyEarlyRequest, EarlyRequest } from '../early-request.ts'

/** Early request for the subscriptions of the last user, if this browser still stores that user's session. */
const subscriptions: EarlyRequest<typeof getSubscriptions, true> = {
  call: getSubscriptions,
  fixed: {},
  kept: { uuid: 'userId' },
  about: () => true,
  input: () => ({}),
}

/** Early requests of pages that need the subscriptions but not the cameras. */
export const ACCOUNT_EARLY_REQUESTS: readonly AnyEarlyRequest[] = [subscriptions]
/** Early requests of pages that show subscriptions with cameras: subscriptions, homes and cameras. */
export const SERVICES_EARLY_REQUESTS: readonly AnyEarlyRequest[] = [subscriptions, ...HOME_EARLY_REQUESTS]
