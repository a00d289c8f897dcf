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
export type { Checkout, CheckoutForm, Declined, Payment } from './checkout-state.ts'
export { pay } from './submit-purchase.ts'
export { payWhenPriced as pressEarly } from './pay-when-priced.ts'
export { shownQuote } from './price-quote.ts'
export { resumeTask } from './purchase-task.ts'

/** What a page sells; the longer memory is an option of the plan for every camera. */
const soldAt = (segment: string): Sku[] =>
  PLANS.flatMap(({ sku, segment: own }) => (own === segment ? (sku === 'unlimited' ? [sku, 'pro'] : [sku]) : []))

const isPeriod = (value: string | null): value is Period => PERIODS.some((period) => period === value)

/**
 * Opens the page of a plan: with what its address says was chosen on the way, else with what was chosen here before. An open
 * intent comes first: it is gone on with on its own page, and no other page sells anything until then. Answers whether the
 * page is open: it is not while the subscriptions are not known.
 */
export function openCheckout(segment: string, search: string): Promise<boolean> {
  opening ??= open(segment, search).finally(() => (opening = null))
  return opening
}

let opening: Promise<boolean> | null = null

/** A page that could not be opened is, once something else of it has found out what the account has; answers how to stop. */
export const openOnceKnown = (again: () => void): (() => void) =>
  $subscriptions.listen(({ state }) => state === 'ready' && $checkout.get() === null && opening === null && again())

async function open(segment: string, search: string): Promise<boolean> {
  await loadSubscriptions()
  // What a purchase costs hangs on what is there already.
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

/** Shows what is kept: the form with its price. */
function show({ form, own, quote, declined }: StoredCheckout): void {
  $checkout.set({
    ...{ form, own, price: quote ? { state: 'ready', quote, changed: [] } : { state: 'none' } },
    coupon: { state: form.coupon === '' ? 'none' : 'good' },
    payment: declined ?? { state: 'idle' },
  })
}

/** Finds out what became of an open intent: its task is followed, else the very same is asked for once more. */
async function resumePurchase(stored: StoredCheckout): Promise<void> {
  show(stored)
  if (readTask()) void resumeTask()
  else await pay()
}

/** What is kept of the form before; the free days are not where the address names a period. */
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

/** How many cameras the address names; null: it names none. */
function parseCameraCount(query: URLSearchParams): number | null {
  const named = Number(query.get('cameras') ?? NaN)
  return Number.isInteger(named) && named >= 1 && named <= QUANTITY_MAX ? named : null
}

/** The open purchase of this tab, or the declined one while its price holds, for the page of payment; answers whether there is one. */
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

/** The page of payment is to show the methods again. A refusal is over with that; an open purchase is still gone on with. */
export function leaveRefusal(): void {
  const stored = readCheckout()
  if (stored) storeCheckout({ ...stored, declined: null })
  leaveTask()
  update({ payment: { state: 'idle' } })
}

/** Takes over what was chosen: the carts, then the price, at once. */
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

/** So many licences. Cameras beyond them are not chosen any more; `taken`: licences that cameras have already. */
export function chooseQuantity(quantity: number, assignedCount = 0): void {
  const cameras = $checkout.get()?.form.cameras ?? []
  choose({ quantity, trial: false, cameras: cameras.slice(0, Math.max(0, quantity - assignedCount)) })
}

/** What is being typed has its price already. Chosen cameras stay: the number may not be whole yet, or none (NaN). */
export const typeQuantity = (quantity: number): void => choose({ quantity, trial: false })

/** What was typed is meant. */
export function endQuantity(assignedCount: number): void {
  const { quantity, cameras } = $checkout.get()?.form ?? { quantity: 0, cameras: [] }
  if (assignedCount + cameras.length > quantity) chooseCameras(cameras.slice(0, Math.max(0, quantity - assignedCount)))
}

export const choosePro = (isPro: boolean): void => choose({ sku: isPro ? 'pro' : 'unlimited' })

/** The free days: one camera, no card, and they end by themselves. */
export const chooseTrial = (): void => choose({ trial: true, period: 'monthly', quantity: 1 })

/** A code to try; '' takes it away. */
export function setCoupon(code: string): void {
  const now = $checkout.get()
  if (!now || isHeld(now)) return
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
  if (!now || isHeld(now)) return
  update({ form: { ...now.form, ...change } })
  const quote = shownQuote()
  if (now.price.state === 'ready' && quote) storeQuote(quote, now.payment.state === 'declined' ? now.payment : null)
}

/**
 * Pays a purchase that was declined, with this method. It is another intent, by the same price; pressed again while it is
 * open it is the same one, with the method of the first press.
 */
export async function retryWith(methodId: string): Promise<void> {
  if (!isOpen() && $checkout.get()?.form.methodId !== methodId) chooseMethod(methodId)
  await pay()
}
