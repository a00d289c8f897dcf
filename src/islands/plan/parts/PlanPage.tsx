import { useStore } from '@nanostores/react'
import { useCallback, useDeferredValue, useEffect, useRef, useState } from 'react'
import type { Sku } from '../../../../contract/billing/skus.ts'
import { formatPlanSubtitle, planTitle } from '../../../domain/copy/plan-page.ts'
import { formatFailure } from '../../../stores/shell/failure-text.ts'
import { loadDevices } from '../../../stores/home/devices.ts'
import { $catalog, isPlanOnSale, loadCatalog } from '../../../stores/billing/plan-catalog.ts'
import {
  $checkout,
  $earlyChoice,
  isCheckoutLocked,
  openCheckout,
  onSubscriptionsLoaded,
  type Checkout,
  type CheckoutForm,
} from '../../../stores/billing/checkout.ts'
import { carryCouponFromUrl } from '../../../stores/billing/carried-coupon.ts'
import { syncPaymentMethod } from '../../../stores/billing/choose-payment-method.ts'
import { loadPaymentMethods } from '../../../stores/billing/payment-methods.ts'
import { stopPollingPurchaseTask } from '../../../stores/billing/purchase-task.ts'
import { loadPlanSimulation } from '../../../stores/billing/plan-simulation.ts'
import { $subscriptions } from '../../../stores/billing/subscriptions.ts'
import { findMissingField, focusField } from './missing-fields.ts'
import { NumberedSteps, NumberedStep } from '../../../ui/NumberedSteps.tsx'
import { AlreadySubscribed, useExistingSubscription } from './AlreadySubscribed.tsx'
import { CamerasStep } from './CamerasStep.tsx'
import { CouponField } from './CouponField.tsx'
import { MethodField } from './MethodField.tsx'
import { PurchaseUnavailable } from './PurchaseUnavailable.tsx'
import { CurrentPlanBanner } from './CurrentPlanBanner.tsx'
import { PeriodStep } from './PeriodStep.tsx'
import { PhoneCheckoutBar, WaitingPhoneBar } from './PhoneCheckoutBar.tsx'
import { ProStep } from './ProStep.tsx'
import { PriceLinesSkeleton, QuotePanel } from './QuotePanel.tsx'
import { PlanSimulationPanel } from './PlanSimulationPanel.tsx'

/** Form of a plan, with its price and the plan simulation. */
export function PlanPage({ segment, sku }: { segment: string; sku: Sku }) {
  const opened = useStore($checkout)
  useEffect(() => openPlanPage(segment), [segment])
  usePaymentRedirect(opened)
  // React renders the opened form in short tasks. Until it is complete, the waiting form stays as it is.
  const checkout = useDeferredValue(opened !== null) ? opened : null
  const earlyChoice = useWaitingChoice(opened?.form)
  const visibleCheckout = checkout ?? createWaitingCheckout(segment, { sku, ...earlyChoice })
  const carryFocus = useFocusCarrier()
  const carryPress = useEarlyPress()
  const carryInteraction = useCallback(
    (plan: HTMLDivElement) => {
      const [endPress, endFocus] = [carryPress(plan), carryFocus(plan)]
      return () => {
        endPress()
        endFocus()
      }
    },
    [carryPress, carryFocus],
  )
  const existing = useExistingSubscription(sku)
  const isAlreadySubscribed = existing !== null && checkout?.payment.state === 'idle'
  return (
    <>
      <h1>{planTitle(visibleCheckout.own, visibleCheckout.form.sku)}</h1>
      <p className="text-ink-2 mt-1">{formatPlanSubtitle(visibleCheckout.own, visibleCheckout.form)}</p>
      {/* The key replaces the waiting form as a whole, so that none of its parts moves on the screen. */}
      <div key={checkout ? 'ready' : 'waiting'} ref={carryInteraction} className="plan-page">
        <div className="plan-main">
          {isAlreadySubscribed && <AlreadySubscribed subscription={existing} />}
          {!isAlreadySubscribed &&
            (checkout ? (
              <PlanForm checkout={checkout} />
            ) : (
              <WaitingForm checkout={visibleCheckout} onRetry={() => void openFromUrl(segment)} />
            ))}
          {sku !== 'hms' && <PlanSimulationPanel checkout={visibleCheckout} />}
        </div>
        {!isAlreadySubscribed && (checkout ? <PlanPrice checkout={checkout} /> : <WaitingPrice />)}
      </div>
    </>
  )
}

/**
 * Returns the choice of the waiting form. It stays when the checkout opens and applies it. A press after that changes
 * the form of the checkout (`openedForm`), which the waiting form then shows until its successor has rendered.
 */
function useWaitingChoice(openedForm: CheckoutForm | undefined) {
  const earlyChoice = useStore($earlyChoice)
  const [choice, setChoice] = useState(earlyChoice)
  const [firstForm, setFirstForm] = useState(openedForm)
  if (!openedForm && choice !== earlyChoice) setChoice(earlyChoice)
  if (openedForm && !firstForm) setFirstForm(openedForm)
  if (!openedForm) return earlyChoice
  const { sku, period, trial } = openedForm
  const first = firstForm ?? openedForm
  return first.sku === sku && first.period === period && first.trial === trial ? choice : { sku, period, trial }
}

/**
 * Returns a ref for the keyed page. Moves the focus from a choice of the waiting form to its successor. Completes a
 * press that has begun on the waiting form, because the browser sends no click if the pressed element disappears.
 */
function useFocusCarrier() {
  const carried = useRef({ focused: -1, focusVisible: false, pressed: -1, isChecked: false })
  return useCallback((plan: HTMLDivElement) => {
    // Only the choices of the waiting form can be used. The other inputs are inert until the subscriptions load.
    const listChoices = () => [...plan.querySelectorAll<HTMLInputElement>('.choice input')]
    const { focused, focusVisible, pressed, isChecked } = carried.current
    listChoices()[focused]?.focus({ preventScroll: true, focusVisible })
    const pressedChoice = listChoices()[pressed]
    // The successor may have the pressed state already, and a click would toggle its checkbox.
    if (pressedChoice && pressedChoice.checked !== isChecked) pressedChoice.click()
    return () => {
      const choices = listChoices()
      const findIndex = (selector: string) => choices.findIndex((input) => input.matches(selector))
      const pressedIndex = findIndex('.choice:active input')
      const previousChoice = choices[pressedIndex]
      carried.current = {
        focused: findIndex(':focus'),
        focusVisible: findIndex(':focus-visible') >= 0,
        pressed: pressedIndex,
        isChecked: previousChoice?.type === 'radio' || previousChoice?.checked === false,
      }
    }
  }, [])
}

/**
 * Returns a ref for the keyed page. Completes a press in the early phone bar: on the button, by focusing the field that
 * comes next, and on the amount, by opening the price lines. Nothing is bought, because the early button never pays.
 */
function useEarlyPress() {
  const pressed = useRef<'field' | 'lines' | null>(null)
  return useCallback((plan: HTMLDivElement) => {
    const checkout = $checkout.get()
    if (checkout && pressed.current === 'field')
      focusField(findMissingField(checkout, checkout.form.methodId !== null).field)
    if (checkout && pressed.current === 'lines') plan.querySelector<HTMLElement>(AMOUNT_SELECTOR)?.click()
    return () => {
      const button = plan.querySelector('[data-pressed]')
      pressed.current = button && (button.matches(AMOUNT_SELECTOR) ? 'lines' : 'field')
    }
  }, [])
}

const AMOUNT_SELECTOR = '.phone-bar-row > button:first-child'

/** Applies the choices in the URL once and removes them from the URL, so that a reload keeps later choices. */
async function openFromUrl(segment: string): Promise<void> {
  const { search, pathname } = location
  if ((await openCheckout(segment, search)) && search !== '') history.replaceState(history.state, '', pathname)
}

function openPlanPage(segment: string): () => void {
  carryCouponFromUrl()
  void openFromUrl(segment)
  const unsubscribe = onSubscriptionsLoaded(() => void openFromUrl(segment))
  for (const load of [loadCatalog, loadPaymentMethods, loadPlanSimulation, loadDevices]) void load()
  const stopMethodSync = syncPaymentMethod()
  return () => {
    stopMethodSync()
    unsubscribe()
    stopPollingPurchaseTask()
  }
}

function usePaymentRedirect(checkout: Checkout | null): void {
  const state = checkout?.payment.state
  useEffect(() => {
    if (state === 'done') location.assign('/account/products/bought')
    if (state === 'declined') location.assign('/account/payment')
  }, [state])
}

function PlanForm({ checkout, isWaiting = false }: { checkout: Checkout; isWaiting?: boolean }) {
  const { sku, trial } = checkout.form
  const isCamera = sku === 'cam-ai'
  const isHome = sku === 'unlimited' || sku === 'pro'
  const nextStep = isCamera || isHome ? 3 : 2
  return (
    <section
      className="card plan-form"
      aria-labelledby="choose-title"
      aria-busy={isWaiting}
      inert={!isWaiting && isCheckoutLocked(checkout)}
    >
      <h2 id="choose-title" className="sr-only">
        Your choices
      </h2>
      <CurrentPlanBanner checkout={checkout} />
      <NumberedSteps>
        <PeriodStep number={1} checkout={checkout} isWaiting={isWaiting} />
        {isCamera && <CamerasStep number={2} checkout={checkout} isWaiting={isWaiting} />}
        {isHome && <ProStep number={2} checkout={checkout} />}
        {!trial && (
          <div className="plan-pair">
            <NumberedStep number={nextStep} title="Coupon" isInert={isWaiting}>
              <CouponField checkout={checkout} />
            </NumberedStep>
            <NumberedStep number={nextStep + 1} title="Payment" isInert={isWaiting}>
              <MethodField checkout={checkout} />
            </NumberedStep>
          </div>
        )}
      </NumberedSteps>
    </section>
  )
}

function PlanPrice({ checkout }: { checkout: Checkout }) {
  const catalog = useStore($catalog)
  if (!isPlanOnSale(catalog, checkout.form.sku))
    return <PurchaseUnavailable sellsOtherPlans={catalog.state === 'ready' && catalog.sells} />
  return (
    <>
      <QuotePanel checkout={checkout} />
      <PhoneCheckoutBar checkout={checkout} />
    </>
  )
}

function WaitingPrice() {
  return (
    <>
      <section className="card quote-panel quote-waiting" aria-label="Today’s price">
        <PriceLinesSkeleton />
      </section>
      <WaitingPhoneBar />
    </>
  )
}

/**
 * Form of a plan page until the account's subscriptions are known: real steps in their final size. Plan and period can
 * be chosen already.
 */
function WaitingForm({ checkout, onRetry }: { checkout: Checkout; onRetry: () => void }) {
  const subs = useStore($subscriptions, { ssr: 'initial' })
  if (subs.state !== 'failed') return <PlanForm isWaiting checkout={checkout} />
  return (
    <section className="card plan-form" aria-label="Your choices">
      <div role="alert">
        <p className="mb-3">{formatFailure(subs.failure)} Nothing has changed on your account.</p>
        <button type="button" className="btn btn-outline" onClick={onRetry}>
          Try again
        </button>
      </div>
    </section>
  )
}

const createWaitingCheckout = (
  segment: string,
  choice: Pick<CheckoutForm, 'sku'> & Partial<CheckoutForm>,
): Checkout => ({
  form: { segment, period: '', quantity: 1, cameras: [], coupon: '', methodId: null, trial: false, ...choice },
  own: null,
  price: { state: 'none' },
  coupon: { state: 'none' },
  payment: { state: 'idle' },
})
