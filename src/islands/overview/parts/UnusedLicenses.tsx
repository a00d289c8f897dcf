import { useStore } from '@nanostores/react'
import Lightbulb from 'lucide-react/icons/lightbulb'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import { remainingLicenses, paysPerLicense } from '../../../domain/billing/license-counts.ts'
import { formatUnusedLicenses } from '../../../domain/copy/account-overview.ts'
import { $subscriptionsWithUnusedLicenses } from '../../../stores/billing/license-assignments.ts'

/** Hint about licenses without a camera, with links to assign one or to give them back. */
export function UnusedLicenses() {
  return useStore($subscriptionsWithUnusedLicenses).map(({ subscription, unused }) => {
    const { subscription_id, sku } = subscription
    const { period } = subscription.scheduled ?? subscription
    const assignedCount = remainingLicenses(subscription) - unused
    const [summary, options] = formatUnusedLicenses(unused, subscription)
    const { segment, name } = getPlan(sku)
    const licenses = unused === 1 ? 'license' : 'licenses'
    return (
      <div key={subscription_id} className="hint-strip plan-unused" data-tone="warning">
        <Lightbulb size={18} aria-hidden="true" />
        <span>
          <b>{summary}</b> {options}
        </span>
        <span className="plan-ways">
          <a className="text-action" href={`/account/services/cover?plan=${encodeURIComponent(subscription_id)}`}>
            Assign {licenses}
          </a>
          {paysPerLicense(subscription) && segment !== null && (
            <a
              className="text-action"
              aria-label={`Remove ${licenses}: ${name}`}
              // If no license is in use, giving back the licenses means canceling the whole plan.
              href={
                assignedCount > 0
                  ? `/account/products/${segment}?cameras=${assignedCount}&period=${period}`
                  : '/account/services'
              }
            >
              Remove {licenses}
            </a>
          )}
        </span>
      </div>
    )
  })
}
