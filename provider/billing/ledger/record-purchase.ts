import type { Order } from '../../../contract/billing/purchase.ts'
import type { QuoteContent } from '../../platform/tickets/quote-ticket.ts'
import { addMonths, countMonthsInPeriod } from '../pricing/billing-period.ts'
import { TRIAL_DAYS } from '../../../contract/billing/money.ts'
import type { QuoteTerms } from '../pricing/quote.ts'
import type { LedgerContext } from './ledger-context.ts'
import { addInvoice } from './invoices.ts'
import { assignPurchasedLicenses } from './licenses.ts'
import { addToOutbox } from './outbox.ts'
import { buildInvoicePostings, buildSettlementPostings } from './postings.ts'
import type { MethodRecord, SubscriptionRecord } from './record-schemas.ts'
import { toActiveSubscription, DEFAULT_SUBSCRIPTION_FIELDS } from './subscription-transitions.ts'
import { putSubscription } from './subscription-rules.ts'
import { voidOpenInvoice } from './void-invoice.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

export interface CompletedPurchase {
  readonly intent: string
  readonly order_id: string
  readonly sealed: QuoteContent
  readonly cameras: readonly string[]
  readonly own: readonly string[]
  /** Payment method that the buyer chose; null if there is none. It was charged only if an amount was due. */
  readonly method: MethodRecord | null
}

/** Records a purchase: entry, invoice, subscription, licenses, coupon and order. Must run inside a transaction. */
export function recordPurchase(ctx: LedgerContext, purchase: CompletedPurchase, now: number): Order {
  const { book } = ctx
  const { terms, changes, discount } = purchase.sealed
  const named = changes && book.get('subscription', changes.subscription_id)
  const before = named && toActiveSubscription(named, now)
  if (changes && !before) throw new Error("The subscription to change doesn't exist.")
  if (before?.overdue) voidOpenInvoice(book, before, now)
  const entry = book.addEntry(terms.is_trial ? 'trial' : 'purchase', purchase.order_id, now, [
    ...buildInvoicePostings(terms.lines),
    ...buildSettlementPostings(terms.total, terms.due),
  ])
  const after = before ? applyPlanChange(before, terms) : createSubscription(terms, ctx.newId('sub'), purchase.method)
  const invoice =
    terms.lines.length > 0
      ? addInvoice(
          book,
          entry,
          { ...toInvoiceFields(after, terms, purchase), lines: [...terms.lines], state: 'paid' },
          now,
        )
      : null
  putSubscription(book, entry, after)
  assignPurchasedLicenses(book, entry, after, purchase, now)
  if (discount) {
    book.put(entry, 'redemption', discount.code, { ...discount, sku: terms.sku, at: now })
    addToOutbox(book, { kind: 'coupon', code: discount.code, intent: purchase.intent })
  }
  const order = toOrder(purchase, after.subscription_id, invoice?.bill ?? '', now)
  book.put(entry, 'order', order.order_id, { ...order, intent: purchase.intent })
  return order
}

const toInvoiceFields = ({ subscription_id }: SubscriptionRecord, { due }: QuoteTerms, { method }: CompletedPurchase) =>
  ({ kind: 'invoice', subscription_id, paid: due, method: due > 0 ? method : null }) as const

function toOrder(
  { order_id, sealed: { terms }, method }: CompletedPurchase,
  id: string,
  bill: string,
  now: number,
): Order {
  return {
    order_id,
    subscription_id: id,
    bill,
    paid: terms.due,
    at: now,
    method: method && terms.due > 0 ? { brand: method.brand, last_four: method.last_four, name: method.name } : null,
    sku: terms.sku,
    period: terms.period,
    quantity: terms.quantity,
    starts_at: terms.starts_at,
    is_later: terms.is_later,
    is_trial: terms.is_trial,
    next: terms.next,
  }
}

/** Returns the price of the period after a coupon and before credit for unused time. */
const getPeriodPrice = (terms: QuoteTerms) =>
  terms.lines.reduce((sum, { kind, amount }) => (kind === 'unused' ? sum : sum + amount), 0)

const toPlanSelection = ({ sku, period, quantity }: QuoteTerms) => ({ sku, period, quantity })

function toPeriodFields(terms: QuoteTerms) {
  const { starts_at: from, period, is_trial } = terms
  const months = is_trial ? 0 : countMonthsInPeriod(period)
  const until = is_trial ? from + TRIAL_DAYS * DAY_MS : addMonths(from, months)
  return { anchor: from, months, from, until, paid: getPeriodPrice(terms), free: false, scheduled: null, overdue: null }
}

function createSubscription(terms: QuoteTerms, id: string, method: MethodRecord | null): SubscriptionRecord {
  return {
    subscription_id: id,
    ...toPlanSelection(terms),
    channel: 'web',
    status: terms.is_trial ? 'trial' : 'active',
    billing_provider: method?.type ?? 'recurring',
    since: terms.as_of,
    ...toPeriodFields(terms),
    ...DEFAULT_SUBSCRIPTION_FIELDS,
    revision: 1,
    over: false,
  }
}

function applyPlanChange(before: SubscriptionRecord, terms: QuoteTerms): SubscriptionRecord {
  const after = { ...before, status: 'active' as const, revision: before.revision + 1 }
  if (terms.is_undo) return { ...after, scheduled: null }
  return terms.is_later
    ? { ...after, scheduled: toPlanSelection(terms) }
    : { ...after, ...toPlanSelection(terms), ...toPeriodFields(terms) }
}
