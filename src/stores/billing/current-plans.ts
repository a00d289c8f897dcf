import { computed } from 'nanostores'
import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { Subscription } from '../../../contract/billing/subscriptions.ts'
import type { Sku } from '../../../contract/billing/skus.ts'
import { $subscriptions } from './subscriptions.ts'

const isCamera = (sku: Sku) => (getPlan(sku).tier ?? 0) > 0

/** Running subscriptions except the free plan; empty until the subscriptions have loaded. */
export const $running = computed($subscriptions, (subs): readonly Subscription[] =>
  subs.state === 'ready' ? subs.subscriptions.filter(({ running, sku }) => running && sku !== 'free') : [],
)

/**
 * Running camera plan that was bought in this portal; null if there is none. Buying another camera plan changes this
 * subscription (PLAN-05).
 */
export const $ownPlan = computed(
  $running,
  (all) => all.find((subscription) => subscription.channel === 'web' && isCamera(subscription.sku)) ?? null,
)

/** Running camera plans that were bought through other channels. They can be changed only there. */
export const $otherPlans = computed($running, (all) =>
  all.filter((subscription) => subscription.channel !== 'web' && isCamera(subscription.sku)),
)

/** Returns the subscription that a purchase of `sku` changes; null for a new one. */
export const findOwn = (sku: Sku): Subscription | null => (isCamera(sku) ? $ownPlan.get() : null)
