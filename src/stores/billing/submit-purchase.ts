import { safeParse, array, object } from 'valibot'
import { FREE_RETENTION_DAYS, getPlan } from '../../../contract/billing/plan-catalog.ts'
import { CURRENCY } from '../../../contract/billing/amounts.ts'
import { fieldProblem, type FieldProblem } from '../../../contract/billing/money.ts'
import {
  createPurchase,
  PURCHASE_ERROR_CODES as WHY,
  updatePurchase,
  type Order,
  type PurchaseOutcome,
  type Quote,
} from '../../../contract/billing/purchase.ts'
import { isSignedOut, request } from '../../api/api-client.ts'
import type { RequestFailure, Result } from '../../api/result.ts'
import { isDeclineCode } from '../../domain/billing/decline-codes.ts'
import { runServiceChange } from './subscriptions.ts'
import { $devices } from '../home/devices.ts'
import { showFailure } from '../shell/report-failure.ts'
import { clearCarts } from './carts.ts'
import { isFinalRejection } from './idempotency-keys.ts'
import {
  $checkout,
  markPurchaseResolved,
  deleteCheckout,
  deletePurchaseTask,
  storeConfirmation,
  storeCheckout,
  storePurchaseTask,
  readCheckout,
  updateCheckout,
  type Checkout,
  type StoredCheckout,
} from './checkout-state.ts'
import {
  loadQuote,
  toSubscriptionRef,
  getChosenChange,
  storeQuote,
  markCheckoutStep,
  parseQuoteFromFailure,
  reloadOwnSubscription,
  getShownQuote,
  applyQuote,
} from './price-quote.ts'
import { getCartMode, buildPurchaseTarget } from './purchase-target.ts'

const COUPON_ERROR_CODES = /^410[1-7]$/
/** Error codes that `handleRejectedPurchase` handles, in addition to the codes for declines and coupons. */
const CONCLUSIVE_CODES: readonly string[] = [
  WHY.quote,
  WHY.stale,
  WHY.exists,
  WHY.intent,
  WHY.noMethod,
  WHY.busy,
  WHY.gateway,
  '404',
]
const RESULT_UNKNOWN_TEXT = 'We couldn’t confirm the payment. Try again: you won’t be charged twice.'
const NOTHING_CHARGED_TEXT = 'You haven’t been charged.'

/**
 * Buys the displayed quote. While the result is unknown, another press repeats the same purchase, even after a reload.
 */
export async function submitPurchase(): Promise<void> {
  const checkout = $checkout.get()
  const stored = readCheckout()
  if (!checkout || !stored?.quote || cannotPay(checkout)) return
  storeCheckout({ ...stored, isSent: true, declined: null })
  updateCheckout({ payment: { state: 'paying' } })
  markCheckoutStep('Pay Pressed', stored.form)
  const response = await runServiceChange(() => sendPurchase(stored, stored.quote!))
  if (response.ok) applyOutcome(response.data)
  // The page navigates to the sign-in. After the sign-in, the checkout sends the same purchase again.
  else if (isSignedOut(response)) return
  else if (isConclusiveFailure(response)) await handleRejectedPurchase(response)
  else showInconclusiveFailure(response, stored.isSent)
}

const isConclusiveFailure = ({ code }: RequestFailure) =>
  CONCLUSIVE_CODES.includes(code) || isDeclineCode(code) || COUPON_ERROR_CODES.test(code)

/**
 * Handles a failure whose code does not say whether the purchase was made. A final rejection means that nothing was
 * bought, unless the same purchase was sent before.
 */
function showInconclusiveFailure(failure: RequestFailure, wasSentBefore: boolean): void {
  const { text } = showFailure('toast', failure, FALLBACK_TEXTS[failure.code] ?? RESULT_UNKNOWN_TEXT)
  if (!isFinalRejection(failure) || wasSentBefore)
    return updateCheckout({ payment: { state: 'failed', text: RESULT_UNKNOWN_TEXT, isSafe: false } })
  markPurchaseResolved()
  updateCheckout({ payment: { state: 'refused', why: 'other', text: appendNothingCharged(text) } })
}

const appendNothingCharged = (text: string) =>
  text.includes(NOTHING_CHARGED_TEXT) ? text : `${text} ${NOTHING_CHARGED_TEXT}`

const cannotPay = ({ price, payment }: Checkout) =>
  price.state !== 'ready' || ['paying', 'task', 'done', 'elsewhere'].includes(payment.state)

/**
 * Sends the stored choices with the idempotency key that was stored with them. One key must never identify two
 * different purchases.
 */
function sendPurchase({ form, own, intent }: StoredCheckout, quote: Quote): Promise<Result<PurchaseOutcome>> {
  const body = {
    ...buildPurchaseTarget({ form, own }),
    quote: quote.quote,
    intent,
    cameras: form.cameras,
    method_id: quote.due > 0 ? form.methodId : null,
  }
  const change = quote.change ?? getChosenChange(own, form)
  if (!own || change === null) return request(createPurchase, body, { timeout: 0 })
  return request(updatePurchase, { ...body, ...toSubscriptionRef(own), change } as never, { timeout: 0 })
}

function applyOutcome(outcome: PurchaseOutcome): void {
  if (outcome.state === 'done') return finishPurchase(outcome.order)
  storePurchaseTask({ processId: outcome.process_id, begunAt: Date.now() })
  void import('./purchase-task.ts').then(({ resumePurchaseTask }) => resumePurchaseTask())
}

/**
 * Finishes the checkout after a successful purchase. For the confirmation page, stores the order, and the covered
 * cameras and the retention period from before the purchase.
 */
export function finishPurchase(order: Order): void {
  const checkout = $checkout.get()
  const devices = $devices.get()
  const covered =
    'devices' in devices ? devices.devices.filter((device) => device.covered).map((device) => device.device_id) : []
  const sku = checkout?.own?.sku ?? null
  const days = sku === null ? FREE_RETENTION_DAYS : (getPlan(sku).keepsDays ?? FREE_RETENTION_DAYS)
  storeConfirmation({ order, before: { cameras: covered, days } })
  if (checkout) {
    markCheckoutStep('Bought', checkout.form)
    clearCarts(getCartMode(checkout))
  }
  deleteCheckout()
  deletePurchaseTask()
  updateCheckout({ payment: { state: 'done', order } })
}

/** Handles the rejection of a purchase, which arrives in the response or later in the purchase task. */
export async function handleRejectedPurchase(failure: RequestFailure): Promise<void> {
  markPurchaseResolved()
  const quote = getShownQuote()
  const { code } = failure
  if (isDeclineCode(code)) return showDecline(failure, quote)
  if (code === WHY.quote) return showNewPrice(parseQuoteFromFailure(failure), quote)
  if (code === WHY.exists) return handleSubscriptionChangedElsewhere('exists')
  if (code === WHY.stale || code === '404') return handleSubscriptionChangedElsewhere('stale')
  if (COUPON_ERROR_CODES.test(code)) return removeCoupon(failure)
  if (code === WHY.intent) return handleSubscriptionChangedElsewhere('unclear')
  const { text } = showFailure('toast', failure, FALLBACK_TEXTS[code])
  // The payment gateway has not received the request, so a retry reuses the idempotency key.
  if (code === WHY.gateway)
    return updateCheckout({ payment: { state: 'failed', text: GATEWAY_UNREACHABLE_TEXT, isSafe: true } })
  storeQuote(quote)
  updateCheckout({
    payment: { state: 'refused', why: code === WHY.busy ? 'busy' : 'other', text: appendNothingCharged(text) },
  })
}

const GATEWAY_UNREACHABLE_TEXT = `We couldn’t reach the payment provider. ${NOTHING_CHARGED_TEXT} Try again shortly.`

/** Messages for codes that are not in the error catalog. */
const FALLBACK_TEXTS: Readonly<Record<string, string>> = {
  [WHY.busy]: `Another purchase on your account is still in progress. ${NOTHING_CHARGED_TEXT} Try again shortly.`,
  [WHY.notSold]: `This plan isn’t available for purchase. ${NOTHING_CHARGED_TEXT}`,
  [WHY.noMethod]: `Choose a payment method first. ${NOTHING_CHARGED_TEXT}`,
}

/** Shows a declined payment. Choices and price stay; a retry gets a new idempotency key. */
function showDecline(failure: RequestFailure, quote: Quote | null): void {
  const checkout = $checkout.get()
  if (!checkout) return
  const { code, text } = showFailure('both', failure)
  const problems = parseProblems(failure)
  const { methodId } = checkout.form
  const declined = {
    state: 'declined',
    code,
    text,
    at: Date.now(),
    cents: quote?.due ?? 0,
    currency: quote?.currency ?? CURRENCY,
    methodId,
    problems,
  } as const
  storeQuote(quote, { ...declined, problems: [...problems] })
  updateCheckout({ payment: { ...declined, problems: [...problems] } })
}

function parseProblems({ detail }: RequestFailure): FieldProblem[] {
  const parsed = safeParse(object({ errors: array(fieldProblem) }), detail)
  return parsed.success ? parsed.output.errors : []
}

async function removeCoupon(failure: RequestFailure): Promise<void> {
  const checkout = $checkout.get()
  if (!checkout) return
  const { code, text } = showFailure('both', failure)
  const { coupon: couponCode } = checkout.form
  updateCheckout({ form: { ...checkout.form, coupon: '' } })
  await loadQuote(true)
  const message = `${text} ${NOTHING_CHARGED_TEXT} The new price doesn’t include the coupon.`
  updateCheckout({
    coupon: { state: 'refused', tried: couponCode, code, text },
    payment: { state: 'refused', why: 'price', text: message },
  })
}

async function showNewPrice(quote: Quote | null, previousQuote: Quote | null): Promise<void> {
  const text = `The price changed while this page was open. ${NOTHING_CHARGED_TEXT} Check the highlighted lines, then try again.`
  if (quote) applyQuote(quote, previousQuote)
  else await loadQuote(true)
  updateCheckout({ payment: { state: 'refused', why: 'price', text } })
}

async function handleSubscriptionChangedElsewhere(reason: 'stale' | 'exists' | 'unclear'): Promise<void> {
  const messages = {
    exists: `You already have this plan. You bought it in another tab or on another device. You weren’t charged again.`,
    unclear: 'We can’t tell if an earlier purchase went through. Check your plans under Services before you buy again.',
    stale: `Your plan was changed in another tab or on another device. ${NOTHING_CHARGED_TEXT} Check the price, then try again.`,
  }
  await reloadOwnSubscription()
  updateCheckout({ payment: { state: 'refused', why: reason, text: messages[reason] } })
  await loadQuote(true)
}
