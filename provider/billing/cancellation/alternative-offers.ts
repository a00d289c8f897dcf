import { PAUSE_MONTHS_MAX, type Leaving } from '../../../contract/billing/cancellation.ts'
import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { Subscription } from '../../../contract/billing/subscriptions.ts'
import { priceFor, type PlanSelection } from '../pricing/price.ts'

type Offer = NonNullable<Leaving['offers']['fewer']>

const offer = (selection: PlanSelection): Offer => {
  const { sku, period, quantity } = selection
  return { sku, period, quantity, cents: priceFor(selection), keeps_days: getPlan(sku).keepsDays ?? 0 }
}

/** Returns the offers between a plan and none; prices before tax. `used`: cameras with recent clips; 0: all of them. */
export function offersFor(subscription: Subscription, used: number): Leaving['offers'] {
  const { sku, status, paused_until } = subscription
  const { tier } = getPlan(sku)
  const isCamera = tier !== null && tier > 0
  const pause_months = status === 'active' && paused_until === null ? PAUSE_MONTHS_MAX : 0
  return {
    pause_months,
    fewer: isCamera ? createFewerOffer(subscription, used) : null,
    other: isCamera ? createOtherOffer(subscription) : null,
  }
}

/** Returns Camera AI for the cameras in use, if it costs less. */
function createFewerOffer({ sku, period, quantity }: Subscription, used: number): Offer | null {
  const fewer = offer({ sku: 'cam-ai', period, quantity: used })
  return used > 0 && fewer.cents < priceFor({ sku, period, quantity }) ? fewer : null
}

/** Returns the same plan billed monthly, or the plan below. */
function createOtherOffer({ sku, period, quantity }: Subscription): Offer | null {
  if (period === 'annual') return offer({ sku, period: 'monthly', quantity })
  if (sku === 'pro') return offer({ sku: 'unlimited', period, quantity: 1 })
  return sku === 'unlimited' ? offer({ sku: 'cam-ai', period, quantity: 1 }) : null
}
