import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import type { Subscription } from '../../../../contract/billing/subscriptions.ts'
import type { Sku } from '../../../../contract/billing/skus.ts'
import { $runningSubscriptions } from '../../../stores/billing/current-plans.ts'
import { dayWords } from '../../../domain/time/date-formats.ts'

/**
 * Returns the account's running `hms` subscription, because that plan can be bought only once and not changed here.
 * Returns null for every other plan, or if the account has no such subscription.
 */
export function useExistingSubscription(sku: Sku): Subscription | null {
  return useStore($runningSubscriptions).find((subscription) => sku === 'hms' && subscription.sku === sku) ?? null
}

/** Replaces the form and the price if the account already has the plan. */
export function AlreadySubscribed({ subscription }: { subscription: Subscription }) {
  const [openedAt] = useState(Date.now)
  const { name } = getPlan(subscription.sku)
  const day = dayWords(subscription.renews_at, openedAt + subscription.clock)
  return (
    <section className="card plan-form" aria-labelledby="already-title">
      <h2 id="already-title">You have {name}</h2>
      <p className="text-ink-2 mt-1">
        {subscription.status === 'cancelled'
          ? `This plan is canceled and ends on ${day}. You can undo the cancellation at no charge.`
          : `This plan renews on ${day}. You don’t need to buy it again.`}
      </p>
      <a className="btn btn-primary mt-4" href="/account/services">
        Go to Services
      </a>
    </section>
  )
}
