import { atom } from 'nanostores'
import type { Period } from '../../../contract/billing/money.ts'
import { PERIODS } from '../../../contract/billing/money.ts'
import { listPlanOptions, selectPlan, SELECTION_LIMITS } from '../../early/plan-selection.ts'
import { $subscriptions, loadSubscriptions } from './subscriptions.ts'
import { cardEntry, getPlanEntry, setPlanInCarts, setQuantityInCarts } from './carts.ts'
import {
  $checkout,
  isCheckoutLocked,
  isPurchaseUnresolved,
  storeCheckout,
  readCheckout,
  readPurchaseTask,
  updateCheckout,
  type Checkout,
  type CheckoutForm,
  type StoredCheckout,
} from './checkout-state.ts'
import { consumeCarriedCoupon } from './carried-coupon.ts'
import { findSubscriptionToChange } from './current-plans.ts'
import { submitPurchase } from './submit-purchase.ts'
import { loadQuote, storeQuote, getShownQuote, isSamePrice, receiveEarlyPrice, restoreQuote } from './price-quote.ts'
import { getCartMode } from './purchase-target.ts'
import { stopPollingPurchaseTask, resumePurchaseTask } from './purchase-task.ts'

export { $checkout, isCheckoutLocked } from './checkout-state.ts'
export type {
  Checkout,
  CheckoutForm,
  PurchaseDecline as Declined,
  CheckoutPayment as Payment,
} from './checkout-state.ts'
export { submitPurchase } from './submit-purchase.ts'
export { payWhenPriced as pressEarly } from './pay-when-priced.ts'
export { getShownQuote } from './price-quote.ts'
export { resumePurchaseTask } from './purchase-task.ts'

const isPeriod = (value: string | null): value is Period => PERIODS.some((period) => period === value)

/**
 * Opens the checkout of a plan with the choices from the URL, otherwise the stored ones. Resumes an unresolved purchase
 * of this plan page; an unresolved purchase of another plan page blocks the checkout. Choices that the user made before
 * take precedence. Returns false if the subscriptions could not be loaded.
 */
export function openCheckout(segment: string, search: string): Promise<boolean> {
  openPromise ??= loadCheckout(segment, search).finally(() => (openPromise = null))
  return openPromise
}

let openPromise: Promise<boolean> | null = null

/**
 * Calls `callback` when the subscriptions load while no checkout is open or opening. Returns an unsubscribe function.
 */
export const onSubscriptionsLoaded = (callback: () => void): (() => void) =>
  $subscriptions.listen(
    ({ state }) => state === 'ready' && $checkout.get() === null && openPromise === null && callback(),
  )

async function loadCheckout(segment: string, search: string): Promise<boolean> {
  await loadSubscriptions()
  // The price depends on the current subscriptions, so the checkout cannot open without them.
  if ($subscriptions.get().state !== 'ready') return false
  const stored = readCheckout()
  if (stored?.isSent && stored.form.segment === segment) {
    $earlyChoice.set({})
    await resumePurchase(stored)
    return true
  }
  const checkout = createCheckout(segment, search, stored)
  // The page shows the document's price until the checkout opens, so the checkout opens with that price.
  const earlyPrice = stored?.isSent ? null : await receiveEarlyPrice(checkout)
  const earlyChoice = $earlyChoice.get()
  $earlyChoice.set({})
  $checkout.set(checkout)
  if (stored?.isSent)
    updateCheckout({ payment: { state: 'elsewhere', segment: stored.form.segment, sku: stored.form.sku } })
  else {
    changeForm(earlyChoice)
    const isChanged = !isSamePrice(checkout.form, $checkout.get()?.form ?? checkout.form)
    if (!restoreQuote()) await loadQuote(false, isChanged ? null : earlyPrice)
  }
  return true
}

function createCheckout(segment: string, search: string, stored: StoredCheckout | null): Checkout {
  const own = findSubscriptionToChange(listPlanOptions(segment)[0]?.sku ?? 'free')
  const previousForm = stored?.form.segment === segment ? stored.form : null
  const coupon = consumeCarriedCoupon()
  const form = {
    ...createFormFromCart(segment, own, search),
    ...(previousForm && selectStoredChoices(previousForm, search)),
    ...(coupon !== null && { coupon }),
  }
  return { form, own, price: { state: 'none' }, coupon: { state: 'none' }, payment: { state: 'idle' } }
}

type EarlyChoice = Partial<Pick<CheckoutForm, 'sku' | 'period' | 'trial'>>

/** Choices of plan and period before the checkout opens. The checkout applies them when it opens. */
export const $earlyChoice = atom<EarlyChoice>({})

function showStoredPurchase({ form, own, quote, declined }: StoredCheckout): void {
  $checkout.set({
    form,
    own,
    price: quote ? { state: 'ready', quote, changed: [] } : { state: 'none' },
    coupon: { state: form.coupon === '' ? 'none' : 'good' },
    payment: declined ?? { state: 'idle' },
  })
}

/** Resolves a sent purchase: polls its task; without a task, sends the same purchase again. */
async function resumePurchase(stored: StoredCheckout): Promise<void> {
  showStoredPurchase(stored)
  if (readPurchaseTask()) void resumePurchaseTask()
  else await submitPurchase()
}

const selectStoredChoices = ({ cameras, coupon, methodId, trial }: CheckoutForm, search: string) => ({
  cameras,
  coupon,
  methodId,
  trial: trial && !isPeriod(new URLSearchParams(search).get('period')),
})

function createFormFromCart(segment: string, own: Checkout['own'], search: string): CheckoutForm {
  const mode = getCartMode({ own })
  const { plan: quantities } = getPlanEntry(mode)
  const source = { search, card: cardEntry(mode), quantities, own }
  const { sku, period, quantity } = selectPlan(source, listPlanOptions(segment), SELECTION_LIMITS)
  setPlanInCarts(mode, sku, period)
  setQuantityInCarts(mode, quantity)
  return { segment, sku, period, quantity, cameras: [], coupon: '', methodId: null, trial: false }
}

/**
 * Restores the purchase of this tab for the payment page if the purchase was sent and is unresolved, or if it was
 * declined and its price is still valid. Returns false if there is no such purchase.
 */
export function restoreCheckout(): boolean {
  const stored = readCheckout()
  if (!stored?.quote) return false
  if (stored.isSent) {
    void resumePurchase(stored)
    return true
  }
  if (!stored.declined || stored.quote.expires_at <= Date.now()) return false
  showStoredPurchase(stored)
  return true
}

/**
 * Shows the list of payment methods on the payment page again. Clears a declined payment; a sent purchase continues on
 * the server.
 */
export function showMethodList(): void {
  const stored = readCheckout()
  if (stored) storeCheckout({ ...stored, declined: null })
  stopPollingPurchaseTask()
  updateCheckout({ payment: { state: 'idle' } })
}

function applyChoice(change: Partial<CheckoutForm>): void {
  if (changeForm(change)) void loadQuote()
}

/** Changes the choices and the carts without a new price. Returns false if the choices are locked. */
function changeForm(change: Partial<CheckoutForm>): boolean {
  const checkout = $checkout.get()
  if (!checkout || isCheckoutLocked(checkout)) return false
  const form = { ...checkout.form, ...change }
  const mode = getCartMode(checkout)
  if (form.sku !== checkout.form.sku || form.period !== checkout.form.period)
    setPlanInCarts(mode, form.sku, form.period)
  if (form.quantity !== checkout.form.quantity && Number.isInteger(form.quantity))
    setQuantityInCarts(mode, form.quantity)
  updateCheckout({ form, payment: { state: 'idle' } })
  return true
}

function applyOrKeepChoice(choice: EarlyChoice): void {
  if ($checkout.get()) applyChoice(choice)
  else if (!isPurchaseUnresolved()) $earlyChoice.set({ ...$earlyChoice.get(), ...choice })
}

/** Chooses the billing period; before the checkout opens, for the checkout. */
export const choosePeriod = (period: Period): void => applyOrKeepChoice({ period, trial: false })

/**
 * Sets the number of licenses, and deselects the cameras that exceed it. `assignedCount`: number of licenses that are
 * already assigned.
 */
export function chooseQuantity(quantity: number, assignedCount = 0): void {
  const cameras = $checkout.get()?.form.cameras ?? []
  applyChoice({ quantity, trial: false, cameras: cameras.slice(0, Math.max(0, quantity - assignedCount)) })
}

/**
 * Sets the number of licenses while the user types it, and requests the price. Selected cameras stay, because the
 * number may be incomplete or NaN.
 */
export const typeQuantity = (quantity: number): void => applyChoice({ quantity, trial: false })

/** Deselects the cameras that exceed the number of licenses. Call it when the user has finished typing the number. */
export function finishTypingQuantity(assignedCount: number): void {
  const { quantity, cameras } = $checkout.get()?.form ?? { quantity: 0, cameras: [] }
  if (assignedCount + cameras.length > quantity) chooseCameras(cameras.slice(0, Math.max(0, quantity - assignedCount)))
}

/** Adds or removes Pro; before the checkout opens, for the checkout. */
export const choosePro = (isPro: boolean): void => applyOrKeepChoice({ sku: isPro ? 'pro' : 'unlimited' })

/** Chooses the free trial: one camera, no card, ends automatically. */
export const chooseTrial = (): void => applyChoice({ trial: true, period: 'monthly', quantity: 1 })

/** Sets the coupon code, which the next price request checks; '' removes it. */
export function setCoupon(code: string): void {
  const checkout = $checkout.get()
  if (!checkout || isCheckoutLocked(checkout)) return
  updateCheckout({ coupon: { state: 'none' } })
  applyChoice({ coupon: code.trim() })
}

/** Sets the cameras that the new licenses cover. The price stays, but the idempotency key changes. */
export function chooseCameras(cameras: readonly string[]): void {
  applyChoiceWithoutPrice({ cameras: [...cameras] })
}

export const selectCheckoutMethod = (methodId: string): void => applyChoiceWithoutPrice({ methodId })

function applyChoiceWithoutPrice(change: Partial<CheckoutForm>): void {
  const checkout = $checkout.get()
  if (!checkout || isCheckoutLocked(checkout)) return
  updateCheckout({ form: { ...checkout.form, ...change } })
  const quote = getShownQuote()
  if (checkout.price.state === 'ready' && quote)
    storeQuote(quote, checkout.payment.state === 'declined' ? checkout.payment : null)
}

/**
 * Retries a declined purchase with this payment method and a new idempotency key. While an earlier attempt is
 * unresolved, repeats that attempt with its own payment method.
 */
export async function retryWithMethod(methodId: string): Promise<void> {
  if (!isPurchaseUnresolved() && $checkout.get()?.form.methodId !== methodId) selectCheckoutMethod(methodId)
  await submitPurchase()
}
