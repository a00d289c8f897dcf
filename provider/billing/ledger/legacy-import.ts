import { addMonths, countMonthsInPeriod } from '../pricing/billing-period.ts'
import { buildPlanLine } from '../pricing/quote.ts'
import { computePrice } from '../pricing/price.ts'
import type { ImportedSubscription } from './ledger-calls.ts'
import type { LedgerContext } from './ledger-context.ts'
import { addInvoice } from './invoices.ts'
import { buildInvoicePostings } from './postings.ts'
import type { SubscriptionRecord } from './record-schemas.ts'
import { countMonthsToNextEnd } from './renewals.ts'
import { DEFAULT_SUBSCRIPTION_FIELDS } from './subscription-transitions.ts'
import { RETRY_DAYS } from './renewal-retries.ts'
import { putSubscription } from './subscription-rules.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

export interface LegacyLicense {
  readonly device_id: string
  readonly subscription_id: string
  readonly bound_at: number
}

/**
 * Imports subscriptions that were not bought through this ledger, and their licenses; skips ids that exist. Running
 * plans of the channel `web` that are active or canceled count as paid at the catalog price. Past periods of active
 * plans are not charged.
 */
export function importSubscriptions(
  ctx: LedgerContext,
  openings: readonly ImportedSubscription[],
  licenses: readonly LegacyLicense[],
  now: number,
): void {
  const { book } = ctx
  const added = openings.filter(({ subscription_id }) => book.get('subscription', subscription_id) === null)
  for (const opening of added) importSubscription(ctx, opening, now)
  for (const license of licenses) {
    if (!added.some(({ subscription_id }) => subscription_id === license.subscription_id)) continue
    if (book.get('licence', license.device_id) === null)
      book.put(book.addEntry('bind', license.subscription_id, now), 'licence', license.device_id, { ...license })
  }
}

function importSubscription(ctx: LedgerContext, opening: ImportedSubscription, now: number): void {
  const { book } = ctx
  const record = toSubscriptionRecord(opening, now)
  const isOwed = opening.channel === 'web' && record.status === 'past_due' && !record.over
  const isFree = opening.channel === 'web' && record.status === 'trial'
  const entry = book.addEntry(isFree ? 'trial' : 'opening', opening.subscription_id, now, [
    ['opening', record.paid],
    [`revenue:${record.sku}`, 0 - record.paid],
  ])
  putSubscription(book, entry, isOwed ? addOverdueInvoice(ctx, record, now) : record)
}

function toSubscriptionRecord(opening: ImportedSubscription, now: number): SubscriptionRecord {
  const { renews_at, period, status, channel } = opening
  const periodMonths = countMonthsInPeriod(period)
  const end = status === 'past_due' ? renews_at - 14 * DAY_MS : renews_at
  const months = status === 'active' ? countMonthsToNextEnd(end, periodMonths, now) : 0
  const until = addMonths(end, months)
  const over = status !== 'active' && renews_at <= now
  const isPaid = channel === 'web' && !over && (status === 'active' || status === 'cancelled')
  const { subscription_id, sku, quantity, billing_provider, since } = opening
  return {
    subscription_id,
    sku,
    quantity,
    billing_provider,
    since,
    period,
    channel,
    status,
    over,
    until,
    months,
    anchor: end,
    from: status === 'trial' ? since : addMonths(end, months - periodMonths),
    paid: isPaid ? computePrice(opening) : 0,
    free: false,
    ...DEFAULT_SUBSCRIPTION_FIELDS,
    revision: 0,
    scheduled: null,
    overdue: null,
  }
}

/**
 * Adds the open invoice of a renewal that was declined before the ledger existed. Derives the number of attempts from
 * the retry days that have passed.
 */
function addOverdueInvoice(
  { book, taxBasisPoints }: LedgerContext,
  subscription: SubscriptionRecord,
  now: number,
): SubscriptionRecord {
  const lines = [
    buildPlanLine(
      subscription,
      subscription.until,
      addMonths(subscription.until, countMonthsInPeriod(subscription.period)),
      taxBasisPoints,
    ),
  ]
  const entry = book.addEntry('declined', subscription.subscription_id, now, buildInvoicePostings(lines))
  const { subscription_id } = subscription
  const { bill } = addInvoice(book, entry, { kind: 'invoice', subscription_id, lines, paid: 0, state: 'open' }, now)
  const tries = 1 + RETRY_DAYS.filter((days) => subscription.until + days * DAY_MS <= now).length
  return { ...subscription, overdue: { bill, tries, since: subscription.until, code: '', method: null } }
}
