import type { Period } from '../../contract/billing/money.ts'
import type { Sku } from '../../contract/billing/skus.ts'
import type { Env } from '../env.ts'
import { unwrapLedgerResult } from '../billing/ledger/ledger-stub.ts'
import { DAY_MS } from '../../contract/time-units.ts'
import { getObject } from '../platform/objects.ts'

/** Action in the billing history of a demo account. `card`: last four digits of a test card. */
type BillingAction =
  | { readonly do: 'buy'; readonly sku: Exclude<Sku, 'free'>; readonly period: Period; readonly quantity: number }
  | { readonly do: 'card'; readonly card: string }
  | { readonly do: 'remove'; readonly card: string }
  | { readonly do: 'pay'; readonly card: string }

export type BillingActions = readonly (readonly [day: number, deed: BillingAction])[]

/** Two years of billing history of a family: purchases, plan changes, and a declined charge that is paid later. */
const OWNER_HISTORY: { readonly days: number; readonly actions: BillingActions } = {
  days: 730,
  actions: [
    [0, { do: 'card', card: '4242' }],
    [0, { do: 'buy', sku: 'cam-ai', period: 'monthly', quantity: 2 }],
    [120, { do: 'buy', sku: 'cam-ai', period: 'monthly', quantity: 3 }],
    [200, { do: 'card', card: '4221' }],
    [214, { do: 'pay', card: '4242' }],
    [215, { do: 'remove', card: '4221' }],
    [365, { do: 'buy', sku: 'unlimited', period: 'monthly', quantity: 1 }],
    [700, { do: 'buy', sku: 'unlimited', period: 'annual', quantity: 1 }],
  ],
}
/** Billing history of a plan whose latest renewal was declined for insufficient funds. */
const FAILED_RENEWAL_HISTORY: typeof OWNER_HISTORY = {
  days: 33,
  actions: [
    [0, { do: 'card', card: '4242' }],
    [0, { do: 'buy', sku: 'unlimited', period: 'monthly', quantity: 1 }],
    [20, { do: 'card', card: '4221' }],
    [20, { do: 'remove', card: '4242' }],
  ],
}
export const DEMO_BILLING_HISTORIES: Readonly<Record<string, typeof OWNER_HISTORY>> = {
  'owner@example.com': OWNER_HISTORY,
  'failed@example.com': FAILED_RENEWAL_HISTORY,
}

/** Adds a test card with these last digits to the account through the card page, and returns the payment method id. */
export type AddTestCard = (last_four: string) => Promise<string>

/**
 * Replays a billing history in an empty ledger. Sets the test clock back, then forward to each action, so that renewals
 * run. If the ledger is not empty, for example after an interrupted replay, only moves the clock to the present.
 */
export async function replayBillingHistory(
  env: Env,
  userId: string,
  { days, actions }: typeof OWNER_HISTORY,
  addTestCard: AddTestCard,
  now: number,
): Promise<void> {
  const ledger = getObject(env, 'LEDGERS', userId)
  if (await ledger.startInPast(days * DAY_MS, now)) {
    let at = 0
    for (const [day, action] of actions) {
      if (day > at) await ledger.moveClock((day - at) * DAY_MS, now)
      at = day
      await replayAction(env, userId, action, addTestCard, now)
    }
  }
  await ledger.catchUp(now)
}

async function replayAction(
  env: Env,
  userId: string,
  action: BillingAction,
  addTestCard: AddTestCard,
  now: number,
): Promise<void> {
  const ledger = getObject(env, 'LEDGERS', userId)
  const { methods } = await ledger.getPaymentOverview(now)
  const intent = `history_${crypto.randomUUID().replaceAll('-', '')}`
  if (action.do === 'card') {
    await ledger.chooseMethod(intent, await addTestCard(action.card), now)
    return
  }
  if (action.do === 'buy') return buyPlan(env, userId, action, now)
  const method = methods.find(({ last_four }) => last_four === action.card)
  if (!method) return
  if (action.do === 'remove') await ledger.removeMethod(intent, method.method_id, now)
  else await payOpenInvoice(env, userId, { method_id: method.method_id, intent }, now)
}

async function payOpenInvoice(
  env: Env,
  userId: string,
  payment: { method_id: string; intent: string },
  now: number,
): Promise<void> {
  const ledger = getObject(env, 'LEDGERS', userId)
  const [pastDue] = (await ledger.getEligibilityState(now)).subscriptions.filter(({ status }) => status === 'past_due')
  if (!pastDue) return
  const { subscription_id, revision } = pastDue
  unwrapLedgerResult(
    await ledger.payOpenInvoice(
      { subscription_id, revision, methodId: payment.method_id, intent: payment.intent },
      now,
    ),
  )
}

async function buyPlan(
  env: Env,
  userId: string,
  purchase: Extract<BillingAction, { do: 'buy' }>,
  now: number,
): Promise<void> {
  const ledger = getObject(env, 'LEDGERS', userId)
  const { sku, period, quantity } = purchase
  const running = (await ledger.getEligibilityState(now)).subscriptions.find(({ isRunning }) => isRunning)
  const changes = running ? { subscription_id: running.subscription_id, revision: running.revision } : null
  const order = { sku, period, quantity, changes }
  const quote = unwrapLedgerResult(await ledger.preview({ ...order, discount: null, isTrial: false }, now))
  const methodId =
    (await ledger.getPaymentOverview(now)).methods.find(({ is_default }) => is_default)?.method_id ?? null
  const intent = `history_${crypto.randomUUID().replaceAll('-', '')}`
  const change = changes ? quote.change : null
  unwrapLedgerResult(
    await ledger.purchase({ intent, quote: quote.quote, wanted: order, change, methodId, cameras: [] }, now),
  )
}
