import { useStore } from '@nanostores/react'
import { useEffect, useMemo } from 'react'
import { FREE_DAYS } from '../../../../contract/billing/plan-catalog.ts'
import { OWNER } from '../../../../contract/auth/roles.ts'
import { inDays } from '../../../domain/copy/counts.ts'
import { isSubscriptionClosed } from '../../../domain/copy/subscription-status.ts'
import { restoreLeaving } from '../../../stores/billing/cancellation-step.ts'
import { loadBindings } from '../../../stores/billing/license-assignments.ts'
import { $serviceUpdateStatus, $subscriptions, loadSubscriptions } from '../../../stores/billing/subscriptions.ts'
import { loadPaymentMethods } from '../../../stores/billing/payment-methods.ts'
import { $userServices, syncUserServices, SUBS_BY_KIND } from '../../../stores/billing/user-services.ts'
import { $devices, loadDevices } from '../../../stores/home/devices.ts'
import { failureText } from '../../../stores/shell/failure-text.ts'
import { LoadError } from '../../../ui/LoadError.tsx'
import { RowsSkeleton } from '../../../ui/RowsSkeleton.tsx'
import { Ended } from './EndedSubscriptions.tsx'
import { Leave } from './LazyCancelDialog.tsx'
import { NextCharge } from './NextCharge.tsx'
import { ServiceCard } from './ServiceCard.tsx'

async function load(): Promise<void> {
  void loadSubscriptions()
  void loadPaymentMethods()
  await loadDevices()
  const devices = $devices.get()
  if ('devices' in devices) await loadBindings(devices.devices.map(({ device_id }) => device_id))
}

export function ServicesPage() {
  // Hydrates with the prerendered state, because the page frame may already have loaded the subscriptions.
  const subs = useStore($subscriptions, { ssr: 'initial' })
  const isSettled = useStore($serviceUpdateStatus, { ssr: 'initial' })
  useEffect(() => {
    restoreLeaving()
    void load()
    return syncUserServices()
  }, [])
  return (
    <>
      <section className="services-list" aria-label="Services" aria-busy={subs.state === 'loading' || !isSettled}>
        {subs.state === 'loading' && (
          <div className="card service-card">
            <RowsSkeleton rows={1} label="Loading your services" />
          </div>
        )}
        {subs.state === 'failed' && (
          <div className="card service-card">
            <LoadError
              title="Your services could not be loaded"
              text={`${failureText(subs.failure)} Nothing has changed on your account.`}
              again={() => void load()}
            />
          </div>
        )}
        {subs.state === 'ready' && <All />}
      </section>
      {subs.state === 'ready' && <NextCharge />}
      {subs.state === 'ready' && <Leave subscriptions={subs.subscriptions} />}
    </>
  )
}

/** All subscriptions, grouped by kind in the order of the plan list. Ended subscriptions are at the bottom. */
function All() {
  const kinds = [
    useStore(SUBS_BY_KIND.pro),
    useStore(SUBS_BY_KIND.unlimited),
    useStore(SUBS_BY_KIND['cam-ai']),
    useStore(SUBS_BY_KIND.hms),
  ]
  const { onlyAmazonSub, onlyBonusFreeT1 } = useStore($userServices)
  const all = kinds.flat()
  const running = useMemo(() => all.filter((subscription) => !isSubscriptionClosed(subscription)), [all])
  const ended = all.filter(isSubscriptionClosed)
  return (
    <>
      {running.length === 0 && <NoServices />}
      {running.length > 0 && (
        <ul className="services-cards">
          {running.map((subscription) => (
            <ServiceCard key={subscription.subscription_id} subscription={subscription} />
          ))}
        </ul>
      )}
      {(onlyAmazonSub || onlyBonusFreeT1) && (
        <p className="text-small text-ink-2">
          {onlyAmazonSub ? 'Nothing is paid through this portal.' : 'Nothing is charged for it.'}{' '}
          <a className="link" href="/account/products/choose">
            Explore plans
          </a>
        </p>
      )}
      {ended.length > 0 && <Ended ended={ended} all={all} />}
    </>
  )
}

/**
 * Shown without an active subscription. Guests get no offer, because the plans of the cameras' owners apply (OPEN-55).
 */
function NoServices() {
  const devices = useStore($devices)
  const isGuest =
    'devices' in devices && devices.devices.length > 0 && devices.devices.every((device) => device.user_role !== OWNER)
  if (isGuest)
    return (
      <div className="card service-card">
        <h2>Shared with you</h2>
        <p className="text-ink-2 mt-1">
          The cameras that you see belong to somebody else, and so do their plans. How long their clips are kept is for
          their owner to decide; you pay nothing.
        </p>
      </div>
    )
  return (
    <div className="card service-card">
      <h2>Free</h2>
      <p className="text-ink-2 mt-1">
        Every camera live, and its clips kept for {inDays(FREE_DAYS)}. No plan is running. A plan keeps them longer and
        searches them.
      </p>
      <a className="btn btn-primary mt-4" href="/account/products/choose">
        Explore plans
      </a>
    </div>
  )
}
