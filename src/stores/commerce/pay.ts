import { safeParse, array, object } from 'valibot'
import { FREE_DAYS, planOf } from '../../../contract/catalogue.ts'
import { fieldProblem, type FieldProblem } from '../../../contract/money.ts'
import {
  createPurchase,
  PURCHASE_REFUSALS as WHY,
  updatePurchase,
  type Order,
  type PurchaseOutcome,
  type Quote,
} from '../../../contract/purchase.ts'
import { isSignedOut, request } from '../../api/client.ts'
import type { RequestFailure, Result } from '../../api/result.ts'
import { whileServiceChanges } from '../account/subscriptions.ts'
import { $devices } from '../home/devices.ts'
import { tell } from '../shell/failures.ts'
import { clearCarts } from './carts.ts'
import {
  $checkout,
  forgetCheckout,
  forgetTask,
  keepBought,
  keepCheckout,
  keepTask,
  readCheckout,
  update,
  type Checkout,
} from './checkout-state.ts'
import { askPrice, changedOf, chosenChange, keepQuote, quoteOf, readAnew, shownQuote, takeQuote } from './price.ts'
import { modeOf, targetOf } from './target.ts'

/** With these a payment was refused (ERROR codes 4220 to 4226); 0000 names fields beside. */
const DECLINED = /^(422[0-6]|0000)$/
const OF_A_COUPON = /^410[1-7]$/
const NOT_KNOWN =
  'No answer came, so it is not known yet whether this went through. Press again: the same purchase is asked for, and nothing is charged twice.'
const NOTHING_CHARGED = 'Nothing was charged.'

/** Buys what the quote says that is shown. The same press again, after a reload too, is the same purchase. */
export async function pay(): Promise<void> {
  const now = $checkout.get()
  const kept = readCheckout()
  const quote = kept?.quote
  if (!now || !quote || isUnderWay(now)) return
  keepCheckout({ ...kept, isSent: true, declined: null })
  update({ payment: { state: 'paying' } })
  const answer = await whileServiceChanges(() => buy(now, quote, kept.intent))
  if (answer.ok) settle(answer.data)
  else await refusedPurchase(answer)
}

const isUnderWay = ({ price, payment }: Checkout) =>
  price.state !== 'ready' || payment.state === 'paying' || payment.state === 'task' || payment.state === 'done'

function buy(now: Checkout, quote: Quote, intent: string): Promise<Result<PurchaseOutcome>> {
  const { form, own } = now
  const body = {
    ...targetOf(now),
    ...{ quote: quote.quote, intent, cameras: form.cameras as string[] },
    method_id: quote.due > 0 ? form.methodId : null,
  }
  const change = quote.change ?? chosenChange(own, form)
  if (!own || change === null) return request(createPurchase, body, { timeout: 0 })
  return request(updatePurchase, { ...body, ...changedOf(own), change } as never, { timeout: 0 })
}

function settle(outcome: PurchaseOutcome): void {
  if (outcome.state === 'done') return finish(outcome.order)
  const { form } = $checkout.get()!
  const begunAt = Date.now()
  keepTask({ processId: outcome.process_id, begunAt, form })
  void import('./task.ts').then(({ resumeTask }) => resumeTask())
}

/** It is bought: what was true before is kept for the page that shows what is now different. */
export function finish(order: Order): void {
  const now = $checkout.get()
  const devices = $devices.get()
  const covered = 'devices' in devices ? devices.devices.filter((one) => one.covered).map((one) => one.device_id) : []
  const sku = now?.own?.sku ?? null
  const days = sku === null ? FREE_DAYS : (planOf(sku).keepsDays ?? FREE_DAYS)
  keepBought({ order, before: { cameras: covered, days } })
  if (now) clearCarts(modeOf(now))
  forgetCheckout()
  forgetTask()
  update({ payment: { state: 'done', order } })
}

/** A purchase that did not go through, at once or as a task. */
export async function refusedPurchase(failure: RequestFailure): Promise<void> {
  // The page leaves for the sign-in, and comes back with all that was chosen.
  if (isSignedOut(failure)) return
  const quote = shownQuote()
  if (DECLINED.test(failure.code)) return decline(failure, quote)
  const { code } = failure
  if (code === WHY.quote) return newPrice(quoteOf(failure), quote)
  if (code === WHY.exists) return changedElsewhere('exists')
  if (code === WHY.stale || code === '404') return changedElsewhere('stale')
  if (OF_A_COUPON.test(code)) return withoutCoupon(failure)
  const { text } = tell('toast', failure, OWN[code] ?? NOT_KNOWN)
  if (code in OWN || code === '429' || code === '400') {
    keepQuote(quote)
    update({ payment: { state: 'refused', why: code === WHY.busy ? 'busy' : 'other', text } })
  } else if (failure.status === 503)
    update({ payment: { state: 'failed', text: `${text} ${NOTHING_CHARGED}`, isSafe: true } })
  else update({ payment: { state: 'failed', text: NOT_KNOWN, isSafe: false } })
}

/** Words where the catalogue has none. */
const OWN: Readonly<Record<string, string>> = {
  [WHY.busy]: `Another purchase of your account is still under way. ${NOTHING_CHARGED} Try again in a moment.`,
  [WHY.intent]: `This page was out of step with what was asked before. ${NOTHING_CHARGED} Look at the price and press again.`,
  [WHY.notSold]: `This plan is not on sale here. ${NOTHING_CHARGED}`,
  [WHY.noMethod]: `Choose how you pay first. ${NOTHING_CHARGED}`,
}

/** The choices and the price stay; a second try is another intent. */
function decline(failure: RequestFailure, quote: Quote | null): void {
  const now = $checkout.get()
  if (!now) return
  const { code, text } = tell('both', failure)
  const problems = problemsOf(failure)
  const { methodId } = now.form
  const declined = {
    state: 'declined',
    code,
    text,
    at: Date.now(),
    cents: quote?.due ?? 0,
    methodId,
    problems,
  } as const
  keepQuote(quote, { ...declined, problems: [...problems] })
  update({ payment: { ...declined, problems: [...problems] } })
}

function problemsOf({ detail }: RequestFailure): FieldProblem[] {
  const parsed = safeParse(object({ errors: array(fieldProblem) }), detail)
  return parsed.success ? parsed.output.errors : []
}

/** Somebody else was quicker, or it has ended meanwhile. */
async function withoutCoupon(failure: RequestFailure): Promise<void> {
  const now = $checkout.get()
  if (!now) return
  const { code, text } = tell('both', failure)
  const { coupon: tried } = now.form
  update({ form: { ...now.form, coupon: '' } })
  await askPrice(true)
  const words = `${text} ${NOTHING_CHARGED} This is the price without it.`
  update({ coupon: { state: 'refused', tried, code, text }, payment: { state: 'refused', why: 'price', text: words } })
}

async function newPrice(quote: Quote | null, before: Quote | null): Promise<void> {
  const text = `The price has changed while this page was open. ${NOTHING_CHARGED} Look at the marked lines and press again.`
  if (quote) takeQuote(quote, before)
  else await askPrice(true)
  update({ payment: { state: 'refused', why: 'price', text } })
}

async function changedElsewhere(why: 'stale' | 'exists'): Promise<void> {
  const words = {
    exists: `Your account has this plan already, from another tab or device. ${NOTHING_CHARGED}`,
    stale: `Your plan has changed meanwhile, in another tab or on another device. ${NOTHING_CHARGED} Look at the price and press again.`,
  }
  await readAnew()
  update({ payment: { state: 'refused', why, text: words[why] } })
  await askPrice(true)
}
