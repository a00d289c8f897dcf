import { computed } from 'nanostores'
import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { Subscription } from '../../../contract/billing/subscriptions.ts'
import type { Sku } from '../../../contract/billing/skus.ts'
import { $subscriptions } from './subscriptions.ts'

const isCamera = (sku: Sku) => (getPlan(sku).tier ?? 0) > 0

/** Running subscriptions without the free plan; empty until they are known. */
export const $running = computed($subscriptions, (subs): readonly Subscription[] =>
  subs.state === 'ready' ? subs.subscriptions.filter(({ running, sku }) => running && sku !== 'free') : [],
)

/** Camera plan bought here, which the page of another camera plan changes (PLAN-05); null if there is none. */
export const $ownPlan = computed(
  $running,
  (all) => all.find((subscription) => subscription.channel === 'web' && isCamera(subscription.sku)) ?? null,
)

/** Camera plans of other channels; they are changed there. */
export const $otherPlans = computed($running, (all) =>
  all.filter((subscription) => subscription.channel !== 'web' && isCamera(subscription.sku)),
)

/** Returns the subscription that a purchase of `sku` changes; null for a new one. */
export const findOwn = (sku: Sku): Subscription | null => (isCamera(sku) ? $ownPlan.get() : null)
