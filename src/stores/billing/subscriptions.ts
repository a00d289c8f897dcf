import { atom, computed } from 'nanostores'
import { getSubscriptions, type Subscription } from '../../../contract/billing/subscriptions.ts'
import { request } from '../../api/api-client.ts'
import type { RequestFailure } from '../../api/result.ts'
import { isRunningPaidPlan, planTier } from '../../domain/billing/user-services.ts'
import { persistentJson } from '../storage/persistent-atoms.ts'
import { $userId } from '../session/session.ts'
import { BILLING_KEYS } from '../storage/billing-keys.ts'

export type SubscriptionsState =
  | { state: 'loading' }
  | { state: 'ready'; subscriptions: readonly Subscription[] }
  | { state: 'failed'; failure: RequestFailure }

/** Subscriptions that this page has loaded, without stored values of earlier visits. */
export const $subscriptions = atom<SubscriptionsState>({ state: 'loading' })

/** True if the last response says that billing is on hold after a restore; false before the first response. */
export const $isBillingOnHold = atom(false)

const isSubscriptionList = (value: unknown): value is readonly Subscription[] =>
  Array.isArray(value) && value.every((item: Partial<Subscription> | null) => typeof item?.sku === 'string')

/** Subscriptions from the last response, kept across visits; null before the first response. */
export const $allSubs = persistentJson<readonly Subscription[] | null>(BILLING_KEYS.allSubs, null, isSubscriptionList)

/**
 * True if the last response contains no running paid plan; false before the first response (OPEN-36, OPEN-145,
 * OPEN-147).
 */
export const $isNoServices = computed($allSubs, (subs) => subs !== null && !subs.some(isRunningPaidPlan))

/**
 * Values that SUB-01 requires: all subscriptions, running camera plans, and whether this page has received its own
 * response.
 */
export const $userSubs = computed([$allSubs, $subscriptions], (subs, loadState) => ({
  data: subs ?? [],
  membershipSubs: (subs ?? []).filter((subscription) => subscription.running && planTier(subscription) !== null),
  updateLoaded: loadState.state === 'ready',
}))

/** False while a subscription is being changed (SUB-16, OPEN-45). */
export const $serviceUpdateStatus = atom(true)

/** Runs a change of a subscription. `$serviceUpdateStatus` is false while the change runs. */
export async function runServiceChange<T>(change: () => Promise<T>): Promise<T> {
  $serviceUpdateStatus.set(false)
  try {
    return await change()
  } finally {
    $serviceUpdateStatus.set(true)
  }
}

let loadPromise: Promise<void> | null = null

/** Loads the user's subscriptions once per page. After a failure, the next call retries. */
export function loadSubscriptions(): Promise<void> {
  loadPromise ??= fetchSubscriptions()
  return loadPromise
}

/** Reloads the subscriptions after a purchase or a change. Loaded values stay until the response arrives. */
export function reloadSubscriptions(): Promise<void> {
  loadPromise = fetchSubscriptions()
  return loadPromise
}

async function fetchSubscriptions(): Promise<void> {
  const response = await request(getSubscriptions, {}, { params: { uuid: $userId.get() } })
  if (!response.ok) {
    loadPromise = null
    if ($subscriptions.get().state !== 'ready') $subscriptions.set({ state: 'failed', failure: response })
    return
  }
  const { subscriptions, is_on_hold: isOnHold = false } = response.data
  $isBillingOnHold.set(isOnHold)
  $allSubs.set(subscriptions)
  $subscriptions.set({ state: 'ready', subscriptions })
}
