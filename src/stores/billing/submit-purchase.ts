import { safeParse, array, object } from 'valibot'
import { FREE_DAYS, getPlan } from '../../../contract/billing/plan-catalog.ts'
import { CURRENCY } from '../../../contract/billing/amounts.ts'
import { fieldProblem, type FieldProblem } from '../../../contract/billing/money.ts'
import {
  createPurchase,
  PURCHASE_REFUSALS as WHY,
  updatePurchase,
  type Order,
  type PurchaseOutcome,
  type Quote,
} from '../../../contract/billing/purchase.ts'
import { isSignedOut, request } from '../../api/api-client.ts'
import type { RequestFailure, Result } from '../../api/result.ts'
import { whileServiceChanges } from './subscriptions.ts'
import { $devices } from '../home/devices.ts'
import { showFailure } from '../shell/report-failure.ts'
import { clearCarts } from './carts.ts'
import {
  $checkout,
  closeIntent,
  deleteCheckout,
  deleteTask,
  storeConfirmation,
  storeCheckout,
  storeTask,
  readCheckout,
  update,
  type Checkout,
  type StoredCheckout,
} from './checkout-state.ts'
import {
  loadQuote,
  toSubscriptionRef,
  chosenChange,
  storeQuote,
  markCheckoutStep,
  parseQuote,
  readAnew,
  shownQuote,
  applyQuote,
} from './price-quote.ts'
import { cartMode, buildTarget } from './purchase-target.ts'

/** Codes of a declined payment (4220 to 4226); 0000 also names invalid fields. */
const DECLINED = /^(422[0-6]|0000)$/
const OF_A_COUPON = /^410[1-7]$/
/** Codes of responses that state the result of the purchase. */
const LOOKED: readonly string[] = [
  WHY.quote,
  WHY.stale,
  WHY.exists,
  WHY.intent,
  WHY.noMethod,
  WHY.busy,
  WHY.gateway,
  '404',
]
const NOT_KNOWN =
  'No answer came, so it is not known yet whether this went through. Press again: the same purchase is asked for, and nothing is charged twice.'
const NOTHING_CHARGED = 'Nothing was charged.'

/** Buys the quote that is shown. Another press repeats the same purchase, also after a reload. */
export async function pay(): Promise<void> {
  const now = $checkout.get()
  const stored = readCheckout()
  if (!now || !stored?.quote || isUnderWay(now)) return
  storeCheckout({ ...stored, isSent: true, declined: null })
  update({ payment: { state: 'paying' } })
  markCheckoutStep('Pay Pressed', stored.form)
  const answer = await whileServiceChanges(() => buy(stored, stored.quote!))
  if (answer.ok) settle(answer.data)
  // The page leaves for the sign-in and returns with all choices.
  else if (isSignedOut(answer)) return
  else if (isTold(answer)) await refusedPurchase(answer)
  else notLooked(answer, stored.isSent)
}

const isTold = ({ code }: RequestFailure) => LOOKED.includes(code) || DECLINED.test(code) || OF_A_COUPON.test(code)

/**
 * Handles a failure that does not state the result of the purchase. A 4xx means that nothing was bought, unless the
 * same purchase was sent before.
 */
function notLooked(failure: RequestFailure, wasOpen: boolean): void {
  const isTurnedAway = failure.status >= 400 && failure.status < 500
  const { text } = showFailure('toast', failure, OWN[failure.code] ?? NOT_KNOWN)
  if (!isTurnedAway || wasOpen) return update({ payment: { state: 'failed', text: NOT_KNOWN, isSafe: false } })
  closeIntent()
  update({ payment: { state: 'refused', why: 'other', text: withNothingCharged(text) } })
}

const withNothingCharged = (text: string) => (text.includes(NOTHING_CHARGED) ? text : `${text} ${NOTHING_CHARGED}`)

const isUnderWay = ({ price, payment }: Checkout) =>
  price.state !== 'ready' || ['paying', 'task', 'done', 'elsewhere'].includes(payment.state)

/**
 * Sends the stored choices together with their idempotency key, so that one key never identifies two different
 * purchases.
 */
function buy({ form, own, intent }: StoredCheckout, quote: Quote): Promise<Result<PurchaseOutcome>> {
  const body = {
    ...buildTarget({ form, own }),
    ...{ quote: quote.quote, intent, cameras: form.cameras },
    method_id: quote.due > 0 ? form.methodId : null,
  }
  const change = quote.change ?? chosenChange(own, form)
  if (!own || change === null) return request(createPurchase, body, { timeout: 0 })
  return request(updatePurchase, { ...body, ...toSubscriptionRef(own), change } as never, { timeout: 0 })
}

function settle(outcome: PurchaseOutcome): void {
  if (outcome.state === 'done') return finishPurchase(outcome.order)
  storeTask({ processId: outcome.process_id, begunAt: Date.now() })
  void import('./purchase-task.ts').then(({ resumeTask }) => resumeTask())
}

/**
 * Finishes the checkout after a successful purchase. Stores the order and the coverage before it for the confirmation
 * page.
 */
export function finishPurchase(order: Order): void {
  const now = $checkout.get()
  const devices = $devices.get()
  const covered =
    'devices' in devices ? devices.devices.filter((device) => device.covered).map((device) => device.device_id) : []
  const sku = now?.own?.sku ?? null
  const days = sku === null ? FREE_DAYS : (getPlan(sku).keepsDays ?? FREE_DAYS)
  storeConfirmation({ order, before: { cameras: covered, days } })
  if (now) {
    markCheckoutStep('Bought', now.form)
    clearCarts(cartMode(now))
  }
  deleteCheckout()
  deleteTask()
  update({ payment: { state: 'done', order } })
}

/** Handles a purchase that was rejected, either in the response or later in its task. */
export async function refusedPurchase(failure: RequestFailure): Promise<void> {
  closeIntent()
  const quote = shownQuote()
  const { code } = failure
  if (DECLINED.test(code)) return decline(failure, quote)
  if (code === WHY.quote) return newPrice(parseQuote(failure), quote)
  if (code === WHY.exists) return changedElsewhere('exists')
  if (code === WHY.stale || code === '404') return changedElsewhere('stale')
  if (OF_A_COUPON.test(code)) return withoutCoupon(failure)
  if (code === WHY.intent) return changedElsewhere('unclear')
  const { text } = showFailure('toast', failure, OWN[code])
  // The gateway has not received the request, so the same key is reused.
  if (code === WHY.gateway) return update({ payment: { state: 'failed', text: NOT_ASKED, isSafe: true } })
  storeQuote(quote)
  update({ payment: { state: 'refused', why: code === WHY.busy ? 'busy' : 'other', text: withNothingCharged(text) } })
}

const NOT_ASKED = `The bank could not be asked. ${NOTHING_CHARGED} Press again in a moment.`

/** Messages for codes that are not in the error catalog. */
const OWN: Readonly<Record<string, string>> = {
  [WHY.busy]: `Another purchase of your account is still under way. ${NOTHING_CHARGED} Try again in a moment.`,
  [WHY.notSold]: `This plan is not on sale here. ${NOTHING_CHARGED}`,
  [WHY.noMethod]: `Choose how you pay first. ${NOTHING_CHARGED}`,
}

/** Shows a declined payment. Choices and price stay; a retry gets a new idempotency key. */
function decline(failure: RequestFailure, quote: Quote | null): void {
  const now = $checkout.get()
  if (!now) return
  const { code, text } = showFailure('both', failure)
  const problems = parseProblems(failure)
  const { methodId } = now.form
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
  update({ payment: { ...declined, problems: [...problems] } })
}

function parseProblems({ detail }: RequestFailure): FieldProblem[] {
  const parsed = safeParse(object({ errors: array(fieldProblem) }), detail)
  return parsed.success ? parsed.output.errors : []
}

/** Removes a coupon that was used by another account or expired meanwhile, and loads the price without it. */
async function withoutCoupon(failure: RequestFailure): Promise<void> {
  const now = $checkout.get()
  if (!now) return
  const { code, text } = showFailure('both', failure)
  const { coupon: couponCode } = now.form
  update({ form: { ...now.form, coupon: '' } })
  await loadQuote(true)
  const words = `${text} ${NOTHING_CHARGED} This is the price without it.`
  update({
    coupon: { state: 'refused', tried: couponCode, code, text },
    payment: { state: 'refused', why: 'price', text: words },
  })
}

async function newPrice(quote: Quote | null, before: Quote | null): Promise<void> {
  const text = `The price has changed while this page was open. ${NOTHING_CHARGED} Look at the marked lines and press again.`
  if (quote) applyQuote(quote, before)
  else await loadQuote(true)
  update({ payment: { state: 'refused', why: 'price', text } })
}

async function changedElsewhere(why: 'stale' | 'exists' | 'unclear'): Promise<void> {
  const words = {
    exists: `Your account has this plan already, from another tab or device. ${NOTHING_CHARGED}`,
    unclear:
      'This page was out of step with a purchase that was asked for before. Your services say whether that went through: look there before you buy.',
    stale: `Your plan has changed meanwhile, in another tab or on another device. ${NOTHING_CHARGED} Look at the price and press again.`,
  }
  await readAnew()
  update({ payment: { state: 'refused', why, text: words[why] } })
  await loadQuote(true)
}
