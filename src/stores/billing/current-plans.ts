import { computed } from 'nanostores'
import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { Subscription } from '../../../contract/billing/subscriptions.ts'
import type { Sku } from '../../../contract/billing/skus.ts'
import { $subscriptions } from './subscriptions.ts'

const isCameraPlan = (sku: Sku) => (getPlan(sku).tier ?? 0) > 0

/** Running subscriptions except the free plan; empty until the subscriptions have loaded. */
export const $runningSubscriptions = computed($subscriptions, (subs): readonly Subscription[] =>
  subs.state === 'ready' ? subs.subscriptions.filter(({ running, sku }) => running && sku !== 'free') : [],
)

/**
 * Running camera plan that was bought in this portal; null if there is none. Buying another camera plan changes this
 * subscription (PLAN-05).
 */
export const $ownCameraPlan = computed(
  $runningSubscriptions,
  (all) => all.find((subscription) => subscription.channel === 'web' && isCameraPlan(subscription.sku)) ?? null,
)

/**
 * Running camera plans that were bought through other channels. Only the channel of purchase can change such a plan.
 */
export const $otherCameraPlans = computed($runningSubscriptions, (all) =>
  all.filter((subscription) => subscription.channel !== 'web' && isCameraPlan(subscription.sku)),
)

/** Returns the subscription that a purchase of `sku` changes; null if the purchase creates a subscription. */
export const findSubscriptionToChange = (sku: Sku): Subscription | null =>
  isCameraPlan(sku) ? $ownCameraPlan.get() : null
