import type { Order } from '../../../contract/billing/purchase.ts'
import type { SealedQuote } from '../../platform/tickets/quote-ticket.ts'
import { addMonths, monthsInPeriod } from '../pricing/billing-period.ts'
import { TRIAL_DAYS } from '../../../contract/billing/money.ts'
import type { Terms } from '../pricing/quote.ts'
import type { LedgerContext } from './ledger-context.ts'
import { addBill } from './invoices.ts'
import { bindFirst } from './licenses.ts'
import { toOutbox } from './outbox.ts'
import { billed, settled } from './postings.ts'
import type { MethodRecord, SubscriptionRecord } from './record-schemas.ts'
import { activeSubscription, DEFAULT_SUBSCRIPTION_FIELDS } from './subscription-transitions.ts'
import { putSubscription } from './subscription-rules.ts'
import { voidOverdue } from './void-invoice.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

export interface CompletedPurchase {
  readonly intent: string
  readonly order_id: string
  readonly sealed: SealedQuote
  readonly cameras: readonly string[]
  readonly own: readonly string[]
  /** Charged method; null if nothing was charged. */
  readonly method: MethodRecord | null
}

/** Records a purchase: entry, invoice, subscription, licenses, coupon and order, in one transaction of the caller. */
export function bookPurchase(ctx: LedgerContext, purchase: CompletedPurchase, now: number): Order {
  const { book } = ctx
  const { terms, changes, discount } = purchase.sealed
  const named = changes && book.get('subscription', changes.subscription_id)
  const before = named && activeSubscription(named, now)
  if (changes && !before) throw new Error('The subscription that changes is not there.')
  if (before?.overdue) voidOverdue(book, before, now)
  const entry = book.enter(terms.is_trial ? 'trial' : 'purchase', purchase.order_id, now, [
    ...billed(terms.lines),
    ...settled(terms.total, terms.due),
  ])
  const after = before ? changedInto(before, terms) : createSubscription(terms, ctx.newId('sub'), purchase.method)
  const invoice =
    terms.lines.length > 0
      ? addBill(book, entry, { ...ofOrder(after, terms, purchase), lines: [...terms.lines], state: 'paid' }, now)
      : null
  putSubscription(book, entry, after)
  bindFirst(book, entry, after, purchase, now)
  if (discount) {
    book.put(entry, 'redemption', discount.code, { ...discount, sku: terms.sku, at: now })
    toOutbox(book, { kind: 'coupon', code: discount.code, intent: purchase.intent })
  }
  const order = toOrder(purchase, after.subscription_id, invoice?.bill ?? '', now)
  book.put(entry, 'order', order.order_id, { ...order, intent: purchase.intent })
  return order
}

const ofOrder = ({ subscription_id }: SubscriptionRecord, { due }: Terms, { method }: CompletedPurchase) =>
  ({ kind: 'invoice', subscription_id, paid: due, method: due > 0 ? method : null }) as const

function toOrder(
  { order_id, sealed: { terms }, method }: CompletedPurchase,
  id: string,
  bill: string,
  now: number,
): Order {
  return {
    ...{ order_id, subscription_id: id, bill, paid: terms.due, at: now },
    method: method && terms.due > 0 ? { brand: method.brand, last_four: method.last_four, name: method.name } : null,
    ...{ sku: terms.sku, period: terms.period, quantity: terms.quantity, starts_at: terms.starts_at },
    ...{ is_later: terms.is_later, is_trial: terms.is_trial, next: terms.next },
  }
}

/** Price of the period, coupon included, before credit for unused time. */
const worth = (terms: Terms) =>
  terms.lines.reduce((sum, { kind, amount }) => (kind === 'unused' ? sum : sum + amount), 0)

const soldIn = ({ sku, period, quantity }: Terms) => ({ sku, period, quantity })

function toPeriod(terms: Terms) {
  const { starts_at: from, period, is_trial } = terms
  const months = is_trial ? 0 : monthsInPeriod(period)
  const until = is_trial ? from + TRIAL_DAYS * DAY_MS : addMonths(from, months)
  return { anchor: from, months, from, until, paid: worth(terms), free: false, scheduled: null, overdue: null }
}

function createSubscription(terms: Terms, id: string, method: MethodRecord | null): SubscriptionRecord {
  return {
    ...{ subscription_id: id, ...soldIn(terms), channel: 'web', status: terms.is_trial ? 'trial' : 'active' },
    ...{
      billing_provider: method?.type ?? 'recurring',
      since: terms.as_of,
      ...toPeriod(terms),
      ...DEFAULT_SUBSCRIPTION_FIELDS,
      revision: 1,
      over: false,
    },
  }
}

function changedInto(before: SubscriptionRecord, terms: Terms): SubscriptionRecord {
  const after = { ...before, status: 'active' as const, revision: before.revision + 1 }
  if (terms.is_undo) return { ...after, scheduled: null }
  return terms.is_later ? { ...after, scheduled: soldIn(terms) } : { ...after, ...soldIn(terms), ...toPeriod(terms) }
}
