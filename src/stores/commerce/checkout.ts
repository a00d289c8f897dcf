import { planOf, PLANS } from '../../../contract/catalogue.ts'
import type { Period } from '../../../contract/money.ts'
import { PERIODS } from '../../../contract/money.ts'
import type { Sku } from '../../../contract/skus.ts'
import { quantityOf } from '../../domain/cart.ts'
import { $subscriptions, loadSubscriptions } from '../account/subscriptions.ts'
import { TAB_NOTES } from '../storage/purchase-keys.ts'
import { tab } from '../storage/storage.ts'
import { cardEntry, planEntry, putPlan, putQuantity } from './carts.ts'
import { $checkout, readCheckout, readTask, update, type CheckoutForm } from './checkout-state.ts'
import { findOwn } from './own.ts'
import { pay } from './pay.ts'
import { askPrice, keepQuote, shownQuote, takeKeptQuote } from './price.ts'
import { modeOf } from './target.ts'
import { resumeTask } from './task.ts'

export { $checkout } from './checkout-state.ts'
export type { Checkout, CheckoutForm, Declined, Payment } from './checkout-state.ts'
export { pay } from './pay.ts'
export { shownQuote } from './price.ts'
export { resumeTask } from './task.ts'

/** What a page sells; the longer memory is an option of the plan for every camera. */
const soldAt = (segment: string): Sku[] =>
  PLANS.flatMap(({ sku, segment: own }) => (own === segment ? (sku === 'unlimited' ? [sku, 'pro'] : [sku]) : []))

const isPeriod = (value: string | null): value is Period => PERIODS.some((one) => one === value)

/**
 * Opens the page of a plan: with what its address says was chosen on the way, else with what was chosen here before. A
 * purchase that runs, or whose answer was lost, is gone on with.
 */
export async function openCheckout(segment: string, search: string): Promise<void> {
  await loadSubscriptions()
  // What a purchase costs hangs on what is there already.
  if ($subscriptions.get().state !== 'ready') return
  const sells = soldAt(segment)
  const [first = 'free'] = sells
  const own = findOwn(first)
  const kept = readCheckout()
  const before = kept?.form.segment === segment ? kept.form : null
  const form = { ...fromCart(segment, sells, search), ...(before && carried(before)), ...takenAlong() }
  $checkout.set({ form, own, price: { state: 'none' }, coupon: { state: 'none' }, payment: { state: 'idle' } })
  if (readTask()) await resumeTask()
  else if (!takeKeptQuote()) await askPrice()
  else if (kept?.isSent) await pay()
}

/** The discount that was brought from the page of coupons, once. */
function takenAlong(): Partial<CheckoutForm> {
  const coupon = tab.read(TAB_NOTES.discount)
  tab.remove(TAB_NOTES.discount)
  return coupon ? { coupon } : {}
}

const carried = ({ cameras, coupon, methodId, trial }: CheckoutForm) => ({ cameras, coupon, methodId, trial })

function fromCart(segment: string, sells: readonly Sku[], search: string): CheckoutForm {
  const own = findOwn(sells[0] ?? 'free')
  const mode = modeOf({ own })
  const query = new URLSearchParams(search)
  const { sku: was, mode: chosen } = cardEntry(mode)
  const isHere = sells.some((sku) => sku === was)
  const asked = sells.find((sku) => sku === query.get('plan'))
  const sku = asked ?? sells.find((sku) => sku === was) ?? sells.find((sku) => sku === own?.sku) ?? sells[0] ?? 'free'
  const wanted = query.get('period')
  const period = isPeriod(wanted) ? wanted : isHere ? chosen : ''
  putPlan(mode, sku, period)
  const isMany = planOf(sku).per === 'camera'
  const start = own?.sku === sku ? own.quantity : 1
  const quantity = !isMany ? 1 : isHere ? quantityOf(planEntry(mode), period) : start
  putQuantity(mode, quantity)
  return { segment, sku, period, quantity, cameras: [], coupon: '', methodId: null, trial: false }
}

/** The declined or running purchase of this tab, for the page of payment; answers whether there is one. */
export function restoreCheckout(): boolean {
  const kept = readCheckout()
  if (!kept?.quote) return false
  const { form, own, quote, declined } = kept
  $checkout.set({
    ...{ form, own, price: { state: 'ready', quote, changed: [] } },
    coupon: { state: form.coupon === '' ? 'none' : 'good' },
    payment: declined ?? { state: 'idle' },
  })
  void resumeTask()
  return true
}

/** Takes over what was chosen: the carts, then the price, at once. */
function choose(change: Partial<CheckoutForm>): void {
  const now = $checkout.get()
  if (!now || now.payment.state === 'paying' || now.payment.state === 'task') return
  const form = { ...now.form, ...change }
  const mode = modeOf(now)
  if (form.sku !== now.form.sku || form.period !== now.form.period) putPlan(mode, form.sku, form.period)
  if (form.quantity !== now.form.quantity && Number.isInteger(form.quantity)) putQuantity(mode, form.quantity)
  update({ form, payment: { state: 'idle' } })
  void askPrice()
}

export const choosePeriod = (period: Period): void => choose({ period, trial: false })

/** So many licences. Cameras beyond them are not chosen any more; `taken`: licences that cameras have already. */
export function chooseQuantity(quantity: number, taken = 0): void {
  const cameras = $checkout.get()?.form.cameras ?? []
  choose({ quantity, trial: false, cameras: cameras.slice(0, Math.max(0, quantity - taken)) })
}

export const choosePro = (isPro: boolean): void => choose({ sku: isPro ? 'pro' : 'unlimited' })

/** The free days: one camera, no card, and they end by themselves. */
export const chooseTrial = (): void => choose({ trial: true, period: 'monthly', quantity: 1 })

/** A code to try; '' takes it away. */
export function setCoupon(code: string): void {
  update({ coupon: { state: 'none' } })
  choose({ coupon: code.trim() })
}

/** Which cameras the new licences cover. The price stays; the purchase is another one. */
export function chooseCameras(cameras: readonly string[]): void {
  chooseBeside({ cameras: [...cameras] })
}

export const chooseMethod = (methodId: string): void => chooseBeside({ methodId })

function chooseBeside(change: Partial<CheckoutForm>): void {
  const now = $checkout.get()
  if (!now || now.payment.state === 'paying' || now.payment.state === 'task') return
  update({ form: { ...now.form, ...change } })
  const quote = shownQuote()
  if (now.price.state === 'ready' && quote) keepQuote(quote, now.payment.state === 'declined' ? now.payment : null)
}

/**
 * Pays a purchase that was declined, with this method. It is another intent, by the same price; pressed again after an answer
 * that was lost, it is the same one.
 */
export async function retryWith(methodId: string): Promise<void> {
  if ($checkout.get()?.form.methodId !== methodId) chooseMethod(methodId)
  await pay()
}
