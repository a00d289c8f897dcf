import { useStore } from '@nanostores/react'
import Check from 'lucide-react/icons/check'
import { useEffect, useMemo } from 'react'
import { formatMoney } from '../../../../contract/billing/amounts.ts'
import { FREE_RETENTION_DAYS } from '../../../../contract/billing/plan-catalog.ts'
import { OWNER_ROLE } from '../../../../contract/auth/roles.ts'
import { formatDayCount } from '../../../domain/copy/counts.ts'
import { isSubscriptionClosed } from '../../../domain/copy/subscription-status.ts'
import { restoreCancellation } from '../../../stores/billing/cancellation-step.ts'
import { loadLicenseAssignments } from '../../../stores/billing/license-assignments.ts'
import { $serviceUpdateStatus, $subscriptions, loadSubscriptions } from '../../../stores/billing/subscriptions.ts'
import { loadPaymentMethods } from '../../../stores/billing/payment-methods.ts'
import { $unpaidReturn, openUnpaidReturn } from '../../../stores/billing/unpaid-charge.ts'
import { $userServices, syncUserServices, SUBSCRIPTIONS_BY_SKU } from '../../../stores/billing/user-services.ts'
import { $devices, loadDevices } from '../../../stores/home/devices.ts'
import { formatFailure } from '../../../stores/shell/failure-text.ts'
import { createDeferredComponent } from '../../../ui/lazy-component.tsx'
import { LoadError } from '../../../ui/LoadError.tsx'
import { NextChargeSkeleton, ServiceCardSkeleton } from '../ServicesSkeleton.tsx'
import { EndedSubscriptions } from './EndedSubscriptions.tsx'
import { LazyCancelDialog } from './LazyCancelDialog.tsx'
import { NextCharge } from './NextCharge.tsx'
import { ServiceCard } from './ServiceCard.tsx'

const StoragePanel = createDeferredComponent(async () => (await import('./StoragePanel.tsx')).StoragePanel)

async function loadPage(): Promise<void> {
  void loadSubscriptions()
  void loadPaymentMethods()
  await loadDevices()
  const devices = $devices.get()
  if ('devices' in devices) await loadLicenseAssignments(devices.devices.map(({ device_id }) => device_id))
}

export function ServicesPage() {
  // Hydrates with the prerendered state, because the page frame may already have loaded the subscriptions.
  const subs = useStore($subscriptions, { ssr: 'initial' })
  const devices = useStore($devices, { ssr: 'initial' })
  const isSettled = useStore($serviceUpdateStatus, { ssr: 'initial' })
  useEffect(() => {
    restoreCancellation()
    openUnpaidReturn()
    void loadPage()
    return syncUserServices()
  }, [])
  const isLoading = subs.state === 'loading' || devices.state === 'loading'
  return (
    <>
      <UnpaidSteps />
      <section className="services-list" aria-label="Services" aria-busy={isLoading || !isSettled}>
        {isLoading && <ServiceCardSkeleton />}
        {subs.state === 'failed' && (
          <div className="card service-card">
            <LoadError
              title="We couldn’t load your services"
              text={`${formatFailure(subs.failure)} Nothing has changed on your account.`}
              onRetry={() => void loadPage()}
            />
          </div>
        )}
        {!isLoading && subs.state === 'ready' && <SubscriptionList />}
        {!isLoading && <StoragePanel props={{}} />}
      </section>
      {isLoading ? <NextChargeSkeleton /> : subs.state === 'ready' && <NextCharge />}
      {subs.state === 'ready' && <LazyCancelDialog subscriptions={subs.subscriptions} />}
    </>
  )
}

/** Steps of paying a failed charge with a new card, after the card page. */
function UnpaidSteps() {
  const subscriptionId = useStore($unpaidReturn, { ssr: 'initial' })
  const subs = useStore($subscriptions, { ssr: 'initial' })
  if (subscriptionId === null || subs.state !== 'ready') return null
  const open = subs.subscriptions.find(({ subscription_id }) => subscription_id === subscriptionId)?.open
  if (!open) return null
  return (
    <ol className="unpaid-steps" aria-label="Steps">
      <li data-done>
        <Check size={14} strokeWidth={3} aria-hidden="true" /> Add a card <span className="sr-only">(done)</span>
      </li>
      <li aria-current="step">
        <b aria-hidden="true">2</b> Pay {formatMoney(open.total)}
      </li>
    </ol>
  )
}

function SubscriptionList() {
  const subscriptionsByPlan = [
    useStore(SUBSCRIPTIONS_BY_SKU.pro),
    useStore(SUBSCRIPTIONS_BY_SKU.unlimited),
    useStore(SUBSCRIPTIONS_BY_SKU['cam-ai']),
    useStore(SUBSCRIPTIONS_BY_SKU.hms),
  ]
  const { onlyAmazonSub, onlyBonusFreeT1 } = useStore($userServices)
  const all = subscriptionsByPlan.flat()
  const openSubscriptions = useMemo(() => all.filter((subscription) => !isSubscriptionClosed(subscription)), [all])
  const ended = all.filter(isSubscriptionClosed)
  return (
    <>
      {openSubscriptions.length === 0 && <NoServices />}
      {openSubscriptions.length > 0 && (
        <ul className="services-cards">
          {openSubscriptions.map((subscription) => (
            <ServiceCard key={subscription.subscription_id} subscription={subscription} />
          ))}
        </ul>
      )}
      {(onlyAmazonSub || onlyBonusFreeT1) && (
        <p className="text-small text-ink-2">
          {onlyAmazonSub ? 'You pay for this plan through Amazon.' : 'This plan is free.'}{' '}
          <a className="link" href="/account/products/choose">
            Explore plans
          </a>
        </p>
      )}
      {ended.length > 0 && <EndedSubscriptions ended={ended} all={all} />}
    </>
  )
}

/**
 * Shown if no subscription is active. Guests get no offer, because the plans of the cameras' owners apply (OPEN-55).
 */
function NoServices() {
  const devices = useStore($devices)
  const isGuest =
    'devices' in devices &&
    devices.devices.length > 0 &&
    devices.devices.every((device) => device.user_role !== OWNER_ROLE)
  if (isGuest)
    return (
      <div className="card service-card">
        <h2>Shared with you</h2>
        <p className="text-ink-2 mt-1">
          Each camera’s owner chooses its plan and how long its clips are kept. You won’t be charged.
        </p>
      </div>
    )
  return (
    <div className="card service-card">
      <h2>Free</h2>
      <p className="text-ink-2 mt-1">
        Live video from every camera and {formatDayCount(FREE_RETENTION_DAYS)} of clips. A paid plan keeps clips longer
        and lets you search them.
      </p>
      <a className="btn btn-primary mt-4" href="/account/products/choose">
        Explore plans
      </a>
    </div>
  )
}
