import type { Period } from '../../contract/billing/money.ts'
import type { Sku } from '../../contract/billing/skus.ts'
import type { Env } from '../env.ts'
import { unwrapLedgerResult } from '../billing/ledger/ledger-stub.ts'
import { DAY_MS } from '../../contract/time-units.ts'

/** Action of a demo account on one day of its billing history. `card`: last four digits of a test card. */
type Deed =
  | { readonly do: 'buy'; readonly sku: Exclude<Sku, 'free'>; readonly period: Period; readonly quantity: number }
  | { readonly do: 'card'; readonly card: string }
  | { readonly do: 'remove'; readonly card: string }
  | { readonly do: 'pay'; readonly card: string }

export type History = readonly (readonly [day: number, deed: Deed])[]

/** Two years of a family with cameras: purchases, changes, one decline and its payment. */
const OWNER: { readonly days: number; readonly deeds: History } = {
  days: 730,
  deeds: [
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
/** Billing history of a plan whose renewal was recently declined for insufficient funds. */
const FAILED: typeof OWNER = {
  days: 33,
  deeds: [
    [0, { do: 'card', card: '4242' }],
    [0, { do: 'buy', sku: 'unlimited', period: 'monthly', quantity: 1 }],
    [20, { do: 'card', card: '4221' }],
    [20, { do: 'remove', card: '4242' }],
  ],
}
export const HISTORIES: Readonly<Record<string, typeof OWNER>> = {
  'owner@example.com': OWNER,
  'failed@example.com': FAILED,
}

/** Adds a test card to the account in the same manner as the card page. The card expires in two years. */
export type PutCard = (last_four: string) => Promise<string>

/**
 * Replays a billing history in an empty ledger: sets the ledger's test clock back and advances it from action to
 * action, so that renewals happen automatically. If an earlier replay was interrupted, only advances the clock to the
 * present.
 */
export async function liveThrough(
  env: Env,
  userId: string,
  { days, deeds }: typeof OWNER,
  putCard: PutCard,
  now: number,
): Promise<void> {
  const ledger = env.LEDGERS.getByName(userId)
  if (await ledger.standBack(days * DAY_MS, now)) {
    let at = 0
    for (const [day, deed] of deeds) {
      if (day > at) await ledger.moveClock((day - at) * DAY_MS, now)
      at = day
      await act(env, userId, deed, putCard, now)
    }
  }
  await ledger.catchUp(now)
}

async function act(env: Env, userId: string, deed: Deed, putCard: PutCard, now: number): Promise<void> {
  const ledger = env.LEDGERS.getByName(userId)
  const { methods } = await ledger.methods(now)
  const intent = `history_${crypto.randomUUID().replaceAll('-', '')}`
  if (deed.do === 'card') {
    await ledger.chooseMethod(intent, await putCard(deed.card), now)
    return
  }
  if (deed.do === 'buy') return buy(env, userId, deed, now)
  const method = methods.find(({ last_four }) => last_four === deed.card)
  if (!method) return
  if (deed.do === 'remove') await ledger.removeMethod(intent, method.method_id, now)
  else await mend(env, userId, { method_id: method.method_id, intent }, now)
}

async function mend(env: Env, userId: string, ask: { method_id: string; intent: string }, now: number): Promise<void> {
  const ledger = env.LEDGERS.getByName(userId)
  const [open] = (await ledger.state(now)).subscriptions.filter(({ status }) => status === 'past_due')
  if (!open) return
  const { subscription_id, revision } = open
  unwrapLedgerResult(
    await ledger.payOpen({ subscription_id, revision, methodId: ask.method_id, intent: ask.intent }, now),
  )
}

async function buy(env: Env, userId: string, deed: Extract<Deed, { do: 'buy' }>, now: number): Promise<void> {
  const ledger = env.LEDGERS.getByName(userId)
  const { sku, period, quantity } = deed
  const running = (await ledger.state(now)).subscriptions.find(({ isRunning }) => isRunning)
  const changes = running ? { subscription_id: running.subscription_id, revision: running.revision } : null
  const order = { sku, period, quantity, changes }
  const quote = unwrapLedgerResult(await ledger.preview({ ...order, discount: null, isTrial: false }, now))
  const methodId = (await ledger.methods(now)).methods.find(({ is_default }) => is_default)?.method_id ?? null
  const intent = `history_${crypto.randomUUID().replaceAll('-', '')}`
  const change = changes ? quote.change : null
  unwrapLedgerResult(
    await ledger.purchase({ intent, quote: quote.quote, wanted: order, change, methodId, cameras: [] }, now),
  )
}
