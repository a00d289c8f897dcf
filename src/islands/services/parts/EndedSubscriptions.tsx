import { useState } from 'react'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import type { Subscription } from '../../../../contract/billing/subscriptions.ts'
import { endedSentence, isRetentionReplaced } from '../../../domain/copy/subscription-status.ts'

/**
 * Ended subscriptions, each with its end date. Links to the invoices if the subscription was bought in this portal, and
 * to the plan page unless a running plan keeps clips for as long.
 */
export function EndedSubscriptions({ ended, all }: { ended: readonly Subscription[]; all: readonly Subscription[] }) {
  return (
    <>
      <h3 id="ended-title">Ended</h3>
      <ul className="services-cards" aria-labelledby="ended-title">
        {ended.map((subscription) => (
          <EndedRow
            key={subscription.subscription_id}
            subscription={subscription}
            hasReplacement={isRetentionReplaced(subscription, all)}
          />
        ))}
      </ul>
    </>
  )
}

function EndedRow({ subscription, hasReplacement }: { subscription: Subscription; hasReplacement: boolean }) {
  const { subscription_id, sku, channel, clock } = subscription
  const [openedAt] = useState(Date.now)
  const { name, segment } = getPlan(sku)
  const page = `/account/products/${segment ?? getPlan('unlimited').segment ?? 'choose'}${segment === null ? `?plan=${sku}` : ''}`
  return (
    <li className="panel ended-row" tabIndex={-1} data-plan={subscription_id}>
      <span className="row-text">
        <b>{name}</b>
        <small>{endedSentence(subscription, openedAt + clock, hasReplacement)}</small>
      </span>
      <span className="ended-ways">
        {channel === 'web' && (
          <a
            className="text-action"
            aria-label={`Invoices: ${name}`}
            href={`/account/billing?subscription=${encodeURIComponent(subscription_id)}`}
          >
            Invoices
          </a>
        )}
        {!hasReplacement && (
          <a className="btn btn-outline btn-sm" aria-label={`Subscribe again: ${name}`} href={page}>
            Subscribe again
          </a>
        )}
      </span>
    </li>
  )
}
