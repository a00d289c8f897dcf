import { computed } from 'nanostores'
import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { Subscription } from '../../../contract/billing/subscriptions.ts'
import type { Sku } from '../../../contract/billing/skus.ts'
import { $subscriptions } from './subscriptions.ts'

const isCamera = (sku: Sku) => (getPlan(sku).tier ?? 0) > 0

/** Running subscriptions, the free plan left out; none while they are not known. */
export const $running = computed($subscriptions, (subs): readonly Subscription[] =>
  subs.state === 'ready' ? subs.subscriptions.filter(({ running, sku }) => running && sku !== 'free') : [],
)

/** The camera plan that was bought here, which the page of another one changes (PLAN-05); null: there is none. */
export const $ownPlan = computed(
  $running,
  (all) => all.find((subscription) => subscription.channel === 'web' && isCamera(subscription.sku)) ?? null,
)

/** Camera plans of other channels, which are changed there. */
export const $otherPlans = computed($running, (all) =>
  all.filter((subscription) => subscription.channel !== 'web' && isCamera(subscription.sku)),
)

/** What a purchase of `sku` changes; null: it is bought anew. */
export const findOwn = (sku: Sku): Subscription | null => (isCamera(sku) ? $ownPlan.get() : null)
