import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import type { Sku } from '../../../../contract/billing/skus.ts'
import { formatPlanSubtitle, planTitle } from '../../../domain/copy/plan-page.ts'
import { failureText } from '../../../stores/shell/failure-text.ts'
import { loadDevices } from '../../../stores/home/devices.ts'
import { $catalog, isSold, loadCatalog } from '../../../stores/billing/plan-catalog.ts'
import { $checkout, isHeld, openCheckout, openOnceKnown, type Checkout } from '../../../stores/billing/checkout.ts'
import { carryCouponFromUrl } from '../../../stores/billing/carried-coupon.ts'
import { syncPaymentMethod } from '../../../stores/billing/choose-payment-method.ts'
import { loadPaymentMethods } from '../../../stores/billing/payment-methods.ts'
import { leaveTask } from '../../../stores/billing/purchase-task.ts'
import { loadTruth } from '../../../stores/billing/plan-simulation.ts'
import { $subscriptions } from '../../../stores/billing/subscriptions.ts'
import { Steps, NumberedStep } from '../../../ui/Steps.tsx'
import { Already, useAlready } from './AlreadySubscribed.tsx'
import { CamerasStep } from './CamerasStep.tsx'
import { CouponField } from './CouponField.tsx'
import { MethodField } from './MethodField.tsx'
import { NotNow } from './PurchaseUnavailable.tsx'
import { OwnStrip } from './CurrentPlanBanner.tsx'
import { PeriodStep } from './PeriodStep.tsx'
import { PhoneBar } from './PhoneCheckoutBar.tsx'
import { ProStep } from './ProStep.tsx'
import { LinesSkeleton, QuotePanel } from './QuotePanel.tsx'
import { TruthPanel } from './PlanSimulationPanel.tsx'

/** Form of a plan, with its price and the plan simulation. */
export function PlanPage({ segment, sku }: { segment: string; sku: Sku }) {
  const checkout = useStore($checkout)
  useEffect(() => open(segment), [segment])
  useLeaving(checkout)
  const own = checkout?.own ?? null
  const already = useAlready(sku)
  const isThere = already !== null && checkout?.payment.state === 'idle'
  const chosen = checkout?.form ?? { sku, period: '' as const, quantity: 1 }
  return (
    <>
      <h1>{planTitle(own, sku)}</h1>
      <p className="text-ink-2 mt-1">{formatPlanSubtitle(own, chosen)}</p>
      <div className="plan-page">
        <div className="plan-main">
          {isThere && <Already own={already} />}
          {!isThere && (checkout ? <Form checkout={checkout} /> : <Waiting again={() => void openFromUrl(segment)} />)}
          {sku !== 'hms' && <TruthPanel chosen={checkout?.form ?? null} />}
        </div>
        {!isThere && (checkout ? <Price checkout={checkout} /> : <PriceWaiting />)}
      </div>
    </>
  )
}

/**
 * Applies the choices in the URL once, then removes them from the URL, so that a reload does not overwrite later
 * choices.
 */
async function openFromUrl(segment: string): Promise<void> {
  const { search, pathname } = location
  if ((await openCheckout(segment, search)) && search !== '') history.replaceState(history.state, '', pathname)
}

function open(segment: string): () => void {
  carryCouponFromUrl()
  void openFromUrl(segment)
  const unwatch = openOnceKnown(() => void openFromUrl(segment))
  for (const load of [loadCatalog, loadPaymentMethods, loadTruth, loadDevices]) void load()
  const unfollow = syncPaymentMethod()
  return () => {
    unfollow()
    unwatch()
    leaveTask()
  }
}

/** Redirects to the confirmation page after a purchase, and to the payment methods after a decline. */
function useLeaving(checkout: Checkout | null): void {
  const state = checkout?.payment.state
  useEffect(() => {
    if (state === 'done') location.assign('/account/products/bought')
    if (state === 'declined') location.assign('/account/payment')
  }, [state])
}

function Form({ checkout }: { checkout: Checkout }) {
  const { sku, trial } = checkout.form
  const isCamera = sku === 'cam-ai'
  const isHome = sku === 'unlimited' || sku === 'pro'
  const next = isCamera || isHome ? 3 : 2
  return (
    <section className="card plan-form" aria-labelledby="choose-title" inert={isHeld(checkout)}>
      <h2 id="choose-title" className="sr-only">
        What you choose
      </h2>
      <OwnStrip checkout={checkout} />
      <Steps>
        <PeriodStep number={1} checkout={checkout} />
        {isCamera && <CamerasStep number={2} checkout={checkout} />}
        {isHome && <ProStep number={2} checkout={checkout} />}
        {!trial && (
          <div className="plan-pair">
            <NumberedStep number={next} title="Coupon">
              <CouponField checkout={checkout} />
            </NumberedStep>
            <NumberedStep number={next + 1} title="Payment">
              <MethodField checkout={checkout} />
            </NumberedStep>
          </div>
        )}
      </Steps>
    </section>
  )
}

function Price({ checkout }: { checkout: Checkout }) {
  const catalog = useStore($catalog)
  if (!isSold(catalog, checkout.form.sku)) return <NotNow sells={catalog.state === 'ready' && catalog.sells} />
  return (
    <>
      <QuotePanel checkout={checkout} />
      <PhoneBar checkout={checkout} />
    </>
  )
}

function PriceWaiting() {
  return (
    <section className="card quote-panel" aria-label="Today’s price">
      <LinesSkeleton />
    </section>
  )
}

/** Shown until the account's subscriptions are known: without them no price is right. */
function Waiting({ again }: { again: () => void }) {
  const subs = useStore($subscriptions, { ssr: 'initial' })
  return (
    <section className="card plan-form" aria-label="What you choose">
      {subs.state === 'failed' ? (
        <div role="alert">
          <p className="mb-3">{failureText(subs.failure)} Nothing has changed on your account.</p>
          <button type="button" className="btn btn-outline" onClick={again}>
            Try again
          </button>
        </div>
      ) : (
        <LinesSkeleton />
      )}
    </section>
  )
}
