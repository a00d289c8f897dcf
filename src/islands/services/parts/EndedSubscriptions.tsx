import { useState } from 'react'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import type { Subscription } from '../../../../contract/billing/subscriptions.ts'
import { endedSentence, isReplaced } from '../../../domain/copy/subscription-status.ts'

/** Ended subscriptions, each with its end date, its invoices, and a link to subscribe again. */
export function Ended({ ended, all }: { ended: readonly Subscription[]; all: readonly Subscription[] }) {
  return (
    <>
      <h3 id="ended-title">Ended</h3>
      <ul className="services-cards" aria-labelledby="ended-title">
        {ended.map((subscription) => (
          <Row key={subscription.subscription_id} subscription={subscription} isKept={isReplaced(subscription, all)} />
        ))}
      </ul>
    </>
  )
}

function Row({ subscription, isKept }: { subscription: Subscription; isKept: boolean }) {
  const { subscription_id, sku, channel, clock } = subscription
  const [opened] = useState(Date.now)
  const { name, segment } = getPlan(sku)
  const page = `/account/products/${segment ?? getPlan('unlimited').segment ?? 'choose'}${segment === null ? `?plan=${sku}` : ''}`
  return (
    <li className="panel ended-row" tabIndex={-1} data-plan={subscription_id}>
      <span className="row-text">
        <b>{name}</b>
        <small>{endedSentence(subscription, opened + clock, isKept)}</small>
      </span>
      <span className="ended-ways">
        {channel === 'web' && (
          <a
            className="text-action"
            aria-label={`Its bills: ${name}`}
            href={`/account/billing?subscription=${encodeURIComponent(subscription_id)}`}
          >
            Its bills
          </a>
        )}
        {!isKept && (
          <a className="btn btn-outline btn-sm" aria-label={`Turn on again: ${name}`} href={page}>
            Turn on again
          </a>
        )}
      </span>
    </li>
  )
}
