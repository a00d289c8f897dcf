import { safeParse } from 'valibot'
import {
  getChangeCode,
  isAtPeriodEnd,
  type ChangeCode,
  type PlanState,
} from '../../../contract/billing/change-codes.ts'
import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import type { Subscription } from '../../../contract/billing/subscriptions.ts'
import {
  previewPurchase,
  PURCHASE_ERROR_CODES,
  quote as quoteSchema,
  type Quote,
} from '../../../contract/billing/purchase.ts'
import { QUANTITY_MAX } from '../../../contract/billing/money.ts'
import type { MarkName } from '../../../contract/telemetry/telemetry-calls.ts'
import { isSentEarly, request, type RequestOptions } from '../../api/api-client.ts'
import type { RequestFailure, Result } from '../../api/result.ts'
import { quoteInput } from '../../early/plan-selection.ts'
import { listChangedRowKeys } from '../../domain/copy/price-quote.ts'
import { reloadSubscriptions } from './subscriptions.ts'
import { showFailure } from '../shell/report-failure.ts'
import {
  $checkout,
  isPurchaseUnresolved,
  storeCheckout,
  readCheckout,
  updateCheckout,
  type Checkout,
  type CheckoutForm,
} from './checkout-state.ts'
import { findSubscriptionToChange } from './current-plans.ts'
import { buildPurchaseTarget } from './purchase-target.ts'

/**
 * Error codes of a rejected coupon: 4101 to 4107, and 429 after too many wrong codes. The purchase continues without
 * the coupon.
 */
const COUPON_ERROR_CODES = /^(410[1-7]|429)$/

const toPlanState = ({ sku, period, quantity }: Pick<Subscription, 'sku' | 'period' | 'quantity'>): PlanState => ({
  tier: getPlan(sku).tier ?? 0,
  period,
  quantity,
})

/**
 * Returns the code of the plan change that the user chose; null if nothing changes, no period is chosen, or there is no
 * plan to change.
 */
export function getChosenChange(own: Subscription | null, { sku, period, quantity }: CheckoutForm): ChangeCode | null {
  if (!own || period === '') return null
  return getChangeCode(toPlanState(own), toPlanState({ sku, period, quantity }))
}

/**
 * True if the account already has exactly this plan without a scheduled change, so that there is nothing to buy. A free
 * trial does not count as a plan that was bought.
 */
const hasSamePlan = (own: Subscription | null, form: CheckoutForm) =>
  own !== null && own.status !== 'trial' && !isScheduled(own) && getChosenChange(own, form) === null

const isScheduled = ({ status, scheduled }: Subscription) => status === 'active' && scheduled !== null

const isCompleteForm = ({ period, quantity, trial }: CheckoutForm) =>
  trial || (period !== '' && Number.isInteger(quantity) && quantity >= 1 && quantity <= QUANTITY_MAX)

/**
 * Returns the id and revision of the subscription to change, from the page's latest load. Returns an empty object for a
 * new subscription.
 */
export const toSubscriptionRef = (own: Subscription | null) =>
  own ? { subscription_id: own.subscription_id, revision: own.revision } : {}

let quoteController = new AbortController()
let expiryTimer: ReturnType<typeof setTimeout> | undefined
/**
 * Returns the displayed quote: the current quote, or the previous one while a new quote loads or after it failed to
 * load. Returns null if no quote is displayed.
 */
export function getShownQuote(): Quote | null {
  const price = $checkout.get()?.price
  return price ? getPriceQuote(price) : null
}

function getPriceQuote(price: Checkout['price']): Quote | null {
  if (price.state === 'none' || price.state === 'same') return null
  return price.state === 'ready' ? price.quote : price.before
}

/**
 * Returns the terms of the displayed quote. While the first quote loads, returns the terms that it probably has, so that
 * the form already has its final size.
 */
export function getChangeTerms({ own, form, price }: Checkout): Pick<Quote, 'is_later' | 'is_undo'> | null {
  const quote = getPriceQuote(price)
  if (quote || !own || price.state !== 'asking') return quote
  const code = getChosenChange(own, form)
  const isPaid = own.status === 'active' || own.status === 'cancelled'
  return { is_undo: own.status === 'active' && code === null, is_later: isPaid && code !== null && isAtPeriodEnd(code) }
}

/**
 * Loads the price of the current choices and ignores older responses. If `isSameChoices` is true, marks the rows that
 * differ from the previous quote. `earlyPrice`: response that has already arrived for these choices. Does nothing while
 * a sent purchase is unresolved.
 */
export async function loadQuote(isSameChoices = false, earlyPrice: Result<Quote> | null = null): Promise<void> {
  if (isPurchaseUnresolved()) return
  quoteController.abort()
  clearTimeout(expiryTimer)
  const checkout = $checkout.get()
  if (!checkout) return
  const { form, own } = checkout
  if (!isCompleteForm(form) || form.sku === 'free')
    return updateCheckout({ price: { state: 'none' }, coupon: { state: 'none' } })
  if (hasSamePlan(own, form)) return updateCheckout({ price: { state: 'same' } })
  const controller = (quoteController = new AbortController())
  const previousQuote = getShownQuote()
  updateCheckout({
    price: { state: 'asking', before: previousQuote },
    ...(form.coupon !== '' && checkout.coupon.state !== 'good' && { coupon: { state: 'checking' } }),
  })
  const response = earlyPrice ?? (await requestPreview(checkout, { signal: controller.signal }))
  if (controller.signal.aborted) return
  if (response.ok) return applyQuote(response.data, isSameChoices ? previousQuote : null)
  await showPriceFailure(response, previousQuote)
}

/** Requests the price. Uses the document's response for an account whose subscriptions it did not know. */
async function requestPreview(checkout: Checkout, options: RequestOptions): Promise<Result<Quote>> {
  const [input, ...accountInputs] = listQuoteInputs(checkout)
  const accountInput = accountInputs.find((candidate) => isSentEarly(previewPurchase, candidate))
  const response = accountInput && (await request(previewPurchase, accountInput, options))
  const isUsable = response && (!response.ok || isQuoteFor(checkout, response.data))
  return isUsable ? response : request(previewPurchase, input, options)
}

/** Returns the body of the price request, and then the bodies of a document that did not know the subscriptions. */
function listQuoteInputs(checkout: Checkout) {
  const { trial, coupon } = checkout.form
  const subject = { ...buildPurchaseTarget(checkout), coupon, trial }
  const accountSubject = { ...subject, own: 'unknown' } as const
  return [
    quoteInput({ ...subject, own: checkout.own }),
    quoteInput(accountSubject),
    quoteInput({ ...accountSubject, quantity: 0 }),
  ] as const
}

const isQuoteFor = ({ form, own }: Checkout, { mode, sku, period, quantity }: Quote) =>
  mode === (own ? 'update' : 'checkout') && sku === form.sku && period === form.period && quantity === form.quantity

/**
 * Returns the response to the document's early price request, if it is for these choices and has already arrived; null
 * otherwise. Each response is returned only once.
 */
export async function receiveEarlyPrice(checkout: Checkout): Promise<Result<Quote> | null> {
  const { form, own } = checkout
  if (!isCompleteForm(form) || form.sku === 'free' || hasSamePlan(own, form)) return null
  const isAnswered = listQuoteInputs(checkout).some((input) => {
    const body = JSON.stringify(input)
    const hasResponse = window.early?.some((exchange) => exchange.body === body && exchange.ms !== undefined)
    return hasResponse && isSentEarly(previewPurchase, input)
  })
  return isAnswered ? await requestPreview(checkout, {}) : null
}

/** Shows a quote and stores it with a new idempotency key. A press of the pay button then buys exactly this quote. */
export function applyQuote(quote: Quote, previousQuote: Quote | null): void {
  const checkout = $checkout.get()
  if (!checkout) return
  const changed = previousQuote ? listChangedRowKeys(previousQuote, quote) : []
  const coupon = checkout.form.coupon === '' ? checkout.coupon : ({ state: 'good' } as const)
  updateCheckout({ price: { state: 'ready', quote, changed }, coupon })
  storeQuote(quote)
  refreshOnExpiry(quote)
  markCheckoutStep('Price Shown', checkout.form)
}

/** Sets a performance mark for a step of the purchase. */
export const markCheckoutStep = (name: MarkName, { sku, period }: Pick<CheckoutForm, 'sku' | 'period'>): void =>
  void performance.mark(name, { detail: { plan: sku, period } })

/**
 * Stores a quote with a new idempotency key, so that no key is reused after a decline or a changed choice. Does nothing
 * while a sent purchase is unresolved.
 */
export function storeQuote(
  quote: Quote | null,
  declined: Parameters<typeof storeCheckout>[0]['declined'] = null,
): void {
  const checkout = $checkout.get()
  if (!checkout || isPurchaseUnresolved()) return
  const { form, own } = checkout
  storeCheckout({ form, own, quote, intent: crypto.randomUUID(), isSent: false, declined })
}

function refreshOnExpiry({ expires_at }: Quote): void {
  clearTimeout(expiryTimer)
  expiryTimer = setTimeout(
    () => {
      const { state } = $checkout.get()?.payment ?? { state: 'paying' }
      if (state === 'idle' || state === 'failed' || state === 'refused') void loadQuote(true)
    },
    Math.max(0, expires_at - Date.now()),
  )
}

/**
 * Shows the stored quote and returns true if it is still valid for the current choices. If the payment method or the
 * cameras differ, gives the quote a new idempotency key.
 */
export function restoreQuote(): boolean {
  const checkout = $checkout.get()
  const stored = readCheckout()
  if (!checkout || !stored?.quote || stored.quote.expires_at <= Date.now()) return false
  if (!isSamePrice(stored.form, checkout.form) || stored.own?.revision !== checkout.own?.revision) return false
  updateCheckout({
    price: { state: 'ready', quote: stored.quote, changed: [] },
    coupon: { state: checkout.form.coupon === '' ? 'none' : 'good' },
  })
  if (!isSamePaymentAndCameras(stored.form, checkout.form)) storeQuote(stored.quote)
  refreshOnExpiry(stored.quote)
  return true
}

const isSamePaymentAndCameras = (form: CheckoutForm, other: CheckoutForm) =>
  form.methodId === other.methodId && form.cameras.join() === other.cameras.join()

export const isSamePrice = (form: CheckoutForm, other: CheckoutForm) =>
  (['sku', 'period', 'quantity', 'coupon', 'trial'] as const).every((name) => form[name] === other[name])

async function showPriceFailure(failure: RequestFailure, previousQuote: Quote | null): Promise<void> {
  const checkout = $checkout.get()
  if (!checkout || failure.kind === 'ERR_CANCELED') return
  if (checkout.form.coupon !== '' && COUPON_ERROR_CODES.test(failure.code)) {
    const { text, code } = showFailure('both', failure)
    const couponCode = checkout.form.coupon
    updateCheckout({
      form: { ...checkout.form, coupon: '' },
      coupon: { state: 'refused', tried: couponCode, code, text },
    })
    return loadQuote()
  }
  if (failure.code === PURCHASE_ERROR_CODES.exists || failure.code === PURCHASE_ERROR_CODES.stale) {
    if (await reloadOwnSubscription()) return loadQuote(true)
  }
  updateCheckout({
    price: {
      state: 'failed',
      failure: showFailure(
        'place',
        failure,
        failure.code === PURCHASE_ERROR_CODES.exists ? ALREADY_BOUGHT_TEXT : PRICE_FAILED_TEXT,
      ),
      before: previousQuote,
    },
  })
}

const ALREADY_BOUGHT_TEXT = 'You already have this plan. Nothing has changed.'
const PRICE_FAILED_TEXT = 'We couldn’t calculate the price. You haven’t been charged. Try again shortly.'

/**
 * Reloads the subscriptions. Returns true if the subscription that the purchase changes has another id or revision than
 * before.
 */
export async function reloadOwnSubscription(): Promise<boolean> {
  const previous = $checkout.get()?.own ?? null
  await reloadSubscriptions()
  const checkout = $checkout.get()
  if (!checkout) return false
  const own = findSubscriptionToChange(checkout.form.sku)
  updateCheckout({ own })
  return own?.subscription_id !== previous?.subscription_id || own?.revision !== previous?.revision
}

/** Returns the new quote in the response to a rejected purchase; null if the response has no quote. */
export function parseQuoteFromFailure({ detail }: RequestFailure): Quote | null {
  const parsed = safeParse(quoteSchema, detail)
  return parsed.success ? parsed.output : null
}
