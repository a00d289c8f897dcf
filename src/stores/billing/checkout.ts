import { getPlan, PLANS } from '../../../contract/billing/plan-catalog.ts'
import type { Period } from '../../../contract/billing/money.ts'
import { PERIODS, QUANTITY_MAX } from '../../../contract/billing/money.ts'
import type { Sku } from '../../../contract/billing/skus.ts'
import { displayedQuantity } from '../../domain/billing/plan-cart.ts'
import { $subscriptions, loadSubscriptions } from './subscriptions.ts'
import { cardEntry, planEntry, putPlan, putQuantity } from './carts.ts'
import {
  $checkout,
  isHeld,
  isOpen,
  storeCheckout,
  readCheckout,
  readTask,
  update,
  type CheckoutForm,
  type StoredCheckout,
} from './checkout-state.ts'
import { takenAlong } from './carried-coupon.ts'
import { findOwn } from './current-plans.ts'
import { pay } from './submit-purchase.ts'
import { loadQuote, storeQuote, shownQuote, restoreQuote } from './price-quote.ts'
import { cartMode } from './purchase-target.ts'
import { leaveTask, resumeTask } from './purchase-task.ts'

export { $checkout, isHeld } from './checkout-state.ts'
export type {
  Checkout,
  CheckoutForm,
  PurchaseDecline as Declined,
  CheckoutPayment as Payment,
} from './checkout-state.ts'
export { pay } from './submit-purchase.ts'
export { payWhenPriced as pressEarly } from './pay-when-priced.ts'
export { shownQuote } from './price-quote.ts'
export { resumeTask } from './purchase-task.ts'

/** Returns the plans that a page sells; `pro` is an option of `unlimited` with longer retention. */
const soldAt = (segment: string): Sku[] =>
  PLANS.flatMap(({ sku, segment: own }) => (own === segment ? (sku === 'unlimited' ? [sku, 'pro'] : [sku]) : []))

const isPeriod = (value: string | null): value is Period => PERIODS.some((period) => period === value)

/**
 * Opens the checkout of a plan with the choices from the URL, otherwise the stored choices. An unresolved purchase
 * takes precedence: it resumes on its own page and blocks all other purchases. Returns false if the subscriptions have
 * not loaded.
 */
export function openCheckout(segment: string, search: string): Promise<boolean> {
  opening ??= open(segment, search).finally(() => (opening = null))
  return opening
}

let opening: Promise<boolean> | null = null

/**
 * Calls `again` once the subscriptions have loaded elsewhere, if no checkout is open yet. Returns a function that stops
 * waiting.
 */
export const openOnceKnown = (again: () => void): (() => void) =>
  $subscriptions.listen(({ state }) => state === 'ready' && $checkout.get() === null && opening === null && again())

async function open(segment: string, search: string): Promise<boolean> {
  await loadSubscriptions()
  // The price depends on the current subscriptions.
  if ($subscriptions.get().state !== 'ready') return false
  const stored = readCheckout()
  if (stored?.isSent && stored.form.segment === segment) {
    await resumePurchase(stored)
    return true
  }
  const sells = soldAt(segment)
  const own = findOwn(sells[0] ?? 'free')
  const before = stored?.form.segment === segment ? stored.form : null
  const coupon = takenAlong()
  const form = {
    ...{ ...fromCart(segment, sells, search), ...(before && carried(before, search)) },
    ...(coupon !== null && { coupon }),
  }
  $checkout.set({ form, own, price: { state: 'none' }, coupon: { state: 'none' }, payment: { state: 'idle' } })
  if (stored?.isSent) update({ payment: { state: 'elsewhere', segment: stored.form.segment, sku: stored.form.sku } })
  else if (!restoreQuote()) await loadQuote()
  return true
}

function show({ form, own, quote, declined }: StoredCheckout): void {
  $checkout.set({
    ...{ form, own, price: quote ? { state: 'ready', quote, changed: [] } : { state: 'none' } },
    coupon: { state: form.coupon === '' ? 'none' : 'good' },
    payment: declined ?? { state: 'idle' },
  })
}

/** Resolves a sent purchase: polls its task, else sends the same purchase again. */
async function resumePurchase(stored: StoredCheckout): Promise<void> {
  show(stored)
  if (readTask()) void resumeTask()
  else await pay()
}

/** Returns the choices to keep from the stored form. Drops the free trial if the URL names a period. */
const carried = ({ cameras, coupon, methodId, trial }: CheckoutForm, search: string) => ({
  ...{ cameras, coupon, methodId },
  trial: trial && !isPeriod(new URLSearchParams(search).get('period')),
})

function fromCart(segment: string, sells: readonly Sku[], search: string): CheckoutForm {
  const own = findOwn(sells[0] ?? 'free')
  const mode = cartMode({ own })
  const query = new URLSearchParams(search)
  const { sku: was, mode: chosen } = cardEntry(mode)
  const isHere = sells.some((sku) => sku === was)
  const requestedSku = sells.find((sku) => sku === query.get('plan'))
  const sku =
    requestedSku ?? sells.find((sku) => sku === was) ?? sells.find((sku) => sku === own?.sku) ?? sells[0] ?? 'free'
  const requestedPeriod = query.get('period')
  const period = isPeriod(requestedPeriod) ? requestedPeriod : isHere ? chosen : ''
  putPlan(mode, sku, period)
  const isMany = getPlan(sku).per === 'camera'
  const start = parseCameraCount(query) ?? (own?.sku === sku ? own.quantity : 1)
  const quantity = !isMany
    ? 1
    : isHere && parseCameraCount(query) === null
      ? displayedQuantity(planEntry(mode), period)
      : start
  putQuantity(mode, quantity)
  return { segment, sku, period, quantity, cameras: [], coupon: '', methodId: null, trial: false }
}

/** Returns the number of cameras in the URL; null if it is missing or invalid. */
function parseCameraCount(query: URLSearchParams): number | null {
  const named = Number(query.get('cameras') ?? NaN)
  return Number.isInteger(named) && named >= 1 && named <= QUANTITY_MAX ? named : null
}

/**
 * Restores the sent purchase of this tab, or the declined one while its price is valid, for the payment page. Returns
 * false if there is none.
 */
export function restoreCheckout(): boolean {
  const stored = readCheckout()
  if (!stored?.quote) return false
  if (stored.isSent) {
    void resumePurchase(stored)
    return true
  }
  if (!stored.declined || stored.quote.expires_at <= Date.now()) return false
  show(stored)
  return true
}

/**
 * Shows the list of methods on the payment page again. Clears a declined payment; a sent purchase continues on the
 * server.
 */
export function leaveRefusal(): void {
  const stored = readCheckout()
  if (stored) storeCheckout({ ...stored, declined: null })
  leaveTask()
  update({ payment: { state: 'idle' } })
}

/** Applies a choice to the carts and requests a new price. */
function choose(change: Partial<CheckoutForm>): void {
  const now = $checkout.get()
  if (!now || isHeld(now)) return
  const form = { ...now.form, ...change }
  const mode = cartMode(now)
  if (form.sku !== now.form.sku || form.period !== now.form.period) putPlan(mode, form.sku, form.period)
  if (form.quantity !== now.form.quantity && Number.isInteger(form.quantity)) putQuantity(mode, form.quantity)
  update({ form, payment: { state: 'idle' } })
  void loadQuote()
}

export const choosePeriod = (period: Period): void => choose({ period, trial: false })

/** Sets the number of licenses and deselects cameras beyond it; `assignedCount`: licenses that are already assigned. */
export function chooseQuantity(quantity: number, assignedCount = 0): void {
  const cameras = $checkout.get()?.form.cameras ?? []
  choose({ quantity, trial: false, cameras: cameras.slice(0, Math.max(0, quantity - assignedCount)) })
}

/**
 * Sets the number of licenses while the user types it, and requests the price. Selected cameras stay, because the
 * number may be incomplete or NaN.
 */
export const typeQuantity = (quantity: number): void => choose({ quantity, trial: false })

/** Called when the user has finished typing the number of licenses. Deselects the cameras beyond this number. */
export function endQuantity(assignedCount: number): void {
  const { quantity, cameras } = $checkout.get()?.form ?? { quantity: 0, cameras: [] }
  if (assignedCount + cameras.length > quantity) chooseCameras(cameras.slice(0, Math.max(0, quantity - assignedCount)))
}

export const choosePro = (isPro: boolean): void => choose({ sku: isPro ? 'pro' : 'unlimited' })

/** Chooses the free trial: one camera, no card, ends automatically. */
export const chooseTrial = (): void => choose({ trial: true, period: 'monthly', quantity: 1 })

/** Sets the coupon code, which is checked with the next price request; '' removes it. */
export function setCoupon(code: string): void {
  const now = $checkout.get()
  if (!now || isHeld(now)) return
  update({ coupon: { state: 'none' } })
  choose({ coupon: code.trim() })
}

/** Sets the cameras that the new licenses cover. The price stays, but the idempotency key changes. */
export function chooseCameras(cameras: readonly string[]): void {
  chooseBeside({ cameras: [...cameras] })
}

export const selectCheckoutMethod = (methodId: string): void => chooseBeside({ methodId })

function chooseBeside(change: Partial<CheckoutForm>): void {
  const now = $checkout.get()
  if (!now || isHeld(now)) return
  update({ form: { ...now.form, ...change } })
  const quote = shownQuote()
  if (now.price.state === 'ready' && quote) storeQuote(quote, now.payment.state === 'declined' ? now.payment : null)
}

/**
 * Retries a declined purchase with this method, at the same price but with a new idempotency key. While the retry is
 * unresolved, another press repeats it with the method of the first press.
 */
export async function retryWith(methodId: string): Promise<void> {
  if (!isOpen() && $checkout.get()?.form.methodId !== methodId) selectCheckoutMethod(methodId)
  await pay()
}
