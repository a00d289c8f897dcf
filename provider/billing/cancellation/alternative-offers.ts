import { PAUSE_MONTHS_MAX, type CancellationPreview } from '../../../contract/billing/cancellation.ts'
import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { Subscription } from '../../../contract/billing/subscriptions.ts'
import { computePrice, type PlanSelection } from '../pricing/price.ts'

type Offer = NonNullable<CancellationPreview['offers']['fewer']>

const createOffer = (selection: PlanSelection): Offer => {
  const { sku, period, quantity } = selection
  return { sku, period, quantity, cents: computePrice(selection), keeps_days: getPlan(sku).keepsDays ?? 0 }
}

/**
 * Returns the alternatives to canceling a plan, with prices before tax. `camerasInUse`: number of cameras with recent
 * clips; with 0, there is no offer for fewer cameras.
 */
export function buildOffers(subscription: Subscription, camerasInUse: number): CancellationPreview['offers'] {
  const { sku, status, paused_until } = subscription
  const { tier } = getPlan(sku)
  const isCameraPlan = tier !== null && tier > 0
  const pause_months = status === 'active' && paused_until === null ? PAUSE_MONTHS_MAX : 0
  return {
    pause_months,
    fewer: isCameraPlan ? createFewerOffer(subscription, camerasInUse) : null,
    other: isCameraPlan ? createOtherOffer(subscription) : null,
  }
}

function createFewerOffer({ sku, period, quantity }: Subscription, camerasInUse: number): Offer | null {
  const fewer = createOffer({ sku: 'cam-ai', period, quantity: camerasInUse })
  return camerasInUse > 0 && fewer.cents < computePrice({ sku, period, quantity }) ? fewer : null
}

function createOtherOffer({ sku, period, quantity }: Subscription): Offer | null {
  if (period === 'annual') return createOffer({ sku, period: 'monthly', quantity })
  if (sku === 'pro') return createOffer({ sku: 'unlimited', period, quantity: 1 })
  return sku === 'unlimited' ? createOffer({ sku: 'cam-ai', period, quantity: 1 }) : null
}
