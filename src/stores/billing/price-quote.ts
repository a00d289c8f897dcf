import { safeParse } from 'valibot'
import { changeCode, type ChangeCode, type PlanState } from '../../../contract/billing/change-codes.ts'
import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { Subscription } from '../../../contract/billing/subscriptions.ts'
import {
  previewPurchase,
  PURCHASE_REFUSALS,
  quote as quoteSchema,
  type Quote,
} from '../../../contract/billing/purchase.ts'
import { QUANTITY_MAX } from '../../../contract/billing/money.ts'
import type { MarkName } from '../../../contract/telemetry/telemetry-calls.ts'
import { request, type RequestOptions } from '../../api/api-client.ts'
import type { RequestFailure } from '../../api/result.ts'
import { changedRows } from '../../domain/copy/price-quote.ts'
import { reloadSubscriptions } from './subscriptions.ts'
import { showFailure } from '../shell/report-failure.ts'
import {
  $checkout,
  isOpen,
  storeCheckout,
  readCheckout,
  update,
  type Checkout,
  type CheckoutForm,
} from './checkout-state.ts'
import { findOwn } from './current-plans.ts'
import { buildTarget } from './purchase-target.ts'

/** Error codes that concern only the coupon; the purchase continues without the coupon. */
const OF_A_COUPON = /^(410[1-7]|429)$/

const toPlanState = ({ sku, period, quantity }: Pick<Subscription, 'sku' | 'period' | 'quantity'>): PlanState => ({
  tier: getPlan(sku).tier ?? 0,
  period,
  quantity,
})

/** Returns the code of the plan change that the user chose; null if nothing changes or there is no plan to change. */
export function chosenChange(own: Subscription | null, { sku, period, quantity }: CheckoutForm): ChangeCode | null {
  if (!own || period === '') return null
  return changeCode(toPlanState(own), toPlanState({ sku, period, quantity }))
}

/**
 * True if the account already has exactly this plan and no change of it is scheduled, so that there is nothing to buy.
 * A free trial does not count as bought.
 */
const isSame = (own: Subscription | null, form: CheckoutForm) =>
  own !== null && own.status !== 'trial' && !isScheduled(own) && chosenChange(own, form) === null

const isScheduled = ({ status, scheduled }: Subscription) => status === 'active' && scheduled !== null

const isWhole = ({ period, quantity, trial }: CheckoutForm) =>
  trial || (period !== '' && Number.isInteger(quantity) && quantity >= 1 && quantity <= QUANTITY_MAX)

/**
 * Returns the id and revision of the subscription to change, as this page last loaded it; empty for a new subscription.
 */
export const toSubscriptionRef = (own: Subscription | null) =>
  own ? { subscription_id: own.subscription_id, revision: own.revision } : {}

let quoteController = new AbortController()
let expiry: ReturnType<typeof setTimeout> | undefined
/** Returns the last quote shown, also while a new one loads. */
export function shownQuote(): Quote | null {
  const price = $checkout.get()?.price
  if (!price || price.state === 'none' || price.state === 'same') return null
  return price.state === 'ready' ? price.quote : price.before
}

/**
 * Loads the price of the current choices and discards responses to older requests. The old rows stay visible meanwhile.
 * `isAgain`: the choices are unchanged, so rows that differ are marked. A sent purchase keeps its price.
 */
export async function loadQuote(isAgain = false): Promise<void> {
  if (isOpen()) return
  quoteController.abort()
  clearTimeout(expiry)
  const now = $checkout.get()
  if (!now) return
  const { form, own } = now
  if (!isWhole(form) || form.sku === 'free') return update({ price: { state: 'none' }, coupon: { state: 'none' } })
  if (isSame(own, form)) return update({ price: { state: 'same' } })
  const mine = (quoteController = new AbortController())
  const before = shownQuote()
  update({
    price: { state: 'asking', before },
    ...(form.coupon !== '' && now.coupon.state !== 'good' && { coupon: { state: 'checking' } }),
  })
  const answer = await preview(now, { signal: mine.signal })
  if (mine.signal.aborted) return
  if (answer.ok) return applyQuote(answer.data, isAgain ? before : null)
  await refusedPrice(answer, before)
}

function preview(now: Checkout, options: RequestOptions) {
  const { trial, coupon } = now.form
  const target = {
    ...buildTarget(now),
    ...(coupon !== '' && { coupon }),
    ...(trial && { trial }),
    ...toSubscriptionRef(now.own),
  }
  return request(previewPurchase, target, options)
}

/** Shows a quote and stores it with a new idempotency key: a press buys exactly this quote. */
export function applyQuote(quote: Quote, before: Quote | null): void {
  const now = $checkout.get()
  if (!now) return
  const changed = before ? changedRows(before, quote) : []
  const coupon = now.form.coupon === '' ? now.coupon : ({ state: 'good' } as const)
  update({ price: { state: 'ready', quote, changed }, coupon })
  storeQuote(quote)
  refreshOnExpiry(quote)
  markCheckoutStep('Price Shown', now.form)
}

/** Sets a performance mark for a step of the purchase. */
export const markCheckoutStep = (name: MarkName, { sku, period }: Pick<CheckoutForm, 'sku' | 'period'>): void =>
  void performance.mark(name, { detail: { plan: sku, period } })

/**
 * Stores a quote with a new idempotency key, so that the key of a declined purchase or of other choices is not reused.
 * Does nothing while a sent purchase is unresolved.
 */
export function storeQuote(
  quote: Quote | null,
  declined: Parameters<typeof storeCheckout>[0]['declined'] = null,
): void {
  const now = $checkout.get()
  if (!now || isOpen()) return
  const { form, own } = now
  storeCheckout({ form, own, quote, intent: crypto.randomUUID(), isSent: false, declined })
}

function refreshOnExpiry({ expires_at }: Quote): void {
  clearTimeout(expiry)
  expiry = setTimeout(
    () => {
      const { state } = $checkout.get()?.payment ?? { state: 'paying' }
      if (state === 'idle' || state === 'failed' || state === 'refused') void loadQuote(true)
    },
    Math.max(0, expires_at - Date.now()),
  )
}

/**
 * Shows the stored quote if it is still valid and the choices are the same. If the payment method or the cameras
 * differ, the quote gets a new idempotency key.
 */
export function restoreQuote(): boolean {
  const now = $checkout.get()
  const stored = readCheckout()
  if (!now || !stored?.quote || stored.quote.expires_at <= Date.now()) return false
  if (!isSamePrice(stored.form, now.form) || stored.own?.revision !== now.own?.revision) return false
  update({
    price: { state: 'ready', quote: stored.quote, changed: [] },
    coupon: { state: now.form.coupon === '' ? 'none' : 'good' },
  })
  if (!isPaidSame(stored.form, now.form)) storeQuote(stored.quote)
  refreshOnExpiry(stored.quote)
  return true
}

const isPaidSame = (form: CheckoutForm, other: CheckoutForm) =>
  form.methodId === other.methodId && form.cameras.join() === other.cameras.join()

export const isSamePrice = (form: CheckoutForm, other: CheckoutForm) =>
  (['sku', 'period', 'quantity', 'coupon', 'trial'] as const).every((name) => form[name] === other[name])

async function refusedPrice(failure: RequestFailure, before: Quote | null): Promise<void> {
  const now = $checkout.get()
  if (!now || failure.kind === 'ERR_CANCELED') return
  if (now.form.coupon !== '' && OF_A_COUPON.test(failure.code)) {
    const { text, code } = showFailure('both', failure)
    const couponCode = now.form.coupon
    update({ form: { ...now.form, coupon: '' }, coupon: { state: 'refused', tried: couponCode, code, text } })
    return loadQuote()
  }
  if (failure.code === PURCHASE_REFUSALS.exists || failure.code === PURCHASE_REFUSALS.stale) {
    if (await readAnew()) return loadQuote(true)
  }
  update({
    price: {
      state: 'failed',
      failure: showFailure('place', failure, failure.code === PURCHASE_REFUSALS.exists ? HAS_IT : OWN_WORDS),
      before,
    },
  })
}

const HAS_IT = 'Your account has this already. It is among your services, and goes on as it is.'
const OWN_WORDS = 'The price could not be worked out. Nothing was charged. Try again in a moment.'

/**
 * Reloads the subscriptions. Returns true if the purchase would now change a different subscription, or another
 * revision of it.
 */
export async function readAnew(): Promise<boolean> {
  const was = $checkout.get()?.own ?? null
  await reloadSubscriptions()
  const now = $checkout.get()
  if (!now) return false
  const own = findOwn(now.form.sku)
  update({ own })
  return own?.subscription_id !== was?.subscription_id || own?.revision !== was?.revision
}

/** Returns the new quote in the response to a rejected purchase; null if it has none. */
export function parseQuote({ detail }: RequestFailure): Quote | null {
  const parsed = safeParse(quoteSchema, detail)
  return parsed.success ? parsed.output : null
}
