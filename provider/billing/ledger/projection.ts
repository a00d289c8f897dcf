import { IS_OWNERS_LICENCE, ownCamerasOf } from '../../homes/members/owned-cameras.ts'
import type { Book } from './ledger-store.ts'
import type { Outgoing } from './outbox.ts'
import type { SubscriptionRecord } from './record-schemas.ts'
import { givesUntil, nextCharge, triesOf } from './subscription-rules.ts'

/** A statement of D1 with its values. */
export interface Statement {
  readonly sql: string
  readonly values: readonly (string | number | null)[]
}

const PUT_SUBSCRIPTION = `
  INSERT INTO subscriptions (subscription_id, user_id, sku, status, quantity, period, billing_provider, renews_at, created_at,
    channel, revision, since, scheduled, next_at, next_total, paused_until, more, clock, currency, seq)
  SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?9, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19
  WHERE EXISTS (SELECT 1 FROM accounts WHERE user_id = ?2)
  ON CONFLICT (subscription_id) DO UPDATE SET sku = excluded.sku, status = excluded.status, quantity = excluded.quantity,
    period = excluded.period, billing_provider = excluded.billing_provider, renews_at = excluded.renews_at,
    channel = excluded.channel, revision = excluded.revision, since = excluded.since, scheduled = excluded.scheduled,
    next_at = excluded.next_at, next_total = excluded.next_total, paused_until = excluded.paused_until, more = excluded.more,
    clock = excluded.clock, currency = excluded.currency, seq = excluded.seq
  WHERE excluded.seq > subscriptions.seq AND excluded.user_id = subscriptions.user_id`

/*
 * Bindings go by the number of their subscription: an older state of it writes none. A camera that has moved to another home
 * stays with the book until somebody binds again, and is covered by those who own that home alone.
 */
const WROTE = 'EXISTS (SELECT 1 FROM subscriptions WHERE subscription_id = ?1 AND seq = ?2)'
const DROP_BINDINGS = `DELETE FROM bindings WHERE subscription_id = ?1 AND ${WROTE}`
const PUT_BINDINGS = `
  INSERT INTO bindings (device_id, subscription_id, bound_at)
  SELECT value ->> 0, ?1, value ->> 1 FROM json_each(?3)
  WHERE ${WROTE} AND value ->> 0 IN (${ownCamerasOf('?4')})
  ON CONFLICT (device_id) DO UPDATE SET subscription_id = excluded.subscription_id, bound_at = excluded.bound_at
  WHERE NOT ${IS_OWNERS_LICENCE}`

const USE_COUPON = `
  INSERT INTO coupon_holds (code, user_id, intent, state, expires_at) VALUES (?1, ?2, ?3, 'used', NULL)
  ON CONFLICT (code, user_id) DO UPDATE SET state = 'used', intent = excluded.intent, expires_at = NULL`

/** What a message of the outbox writes in D1, as the book is now. */
export function projectionOf(book: Book, one: Outgoing, basisPoints: number): Statement[] {
  if (one.kind === 'coupon') return [{ sql: USE_COUPON, values: [one.code.toLowerCase(), book.account, one.intent] }]
  const record = one.kind === 'subscription' ? book.get('subscription', one.id) : null
  return record ? ofSubscription(book, record, one.seq, basisPoints) : []
}

/** What pages say beside it (`leaving` and `open` of contract/billing/subscriptions.ts), as JSON; null: nothing. */
function moreOf(book: Book, one: SubscriptionRecord): string | null {
  const { leaving, overdue, over } = one
  const bill = overdue && !over ? book.get('invoice', overdue.bill) : null
  if (!leaving && !bill) return null
  return JSON.stringify({
    leaving: leaving && { at: leaving.at, to_method: leaving.to_method, to_balance: leaving.to_balance },
    open: bill && overdue && { total: bill.total, due_at: one.until, tries: overdue.tries, ...failureOf(one) },
  })
}

const failureOf = (one: SubscriptionRecord) => ({
  next_tries: triesOf(one),
  code: one.overdue?.code ?? '',
  method: one.overdue?.method ?? null,
})

function ofSubscription(book: Book, one: SubscriptionRecord, seq: number, basisPoints: number): Statement[] {
  const { subscription_id: id } = one
  const next = nextCharge(book, one, basisPoints)
  const bound = book.all('licence').filter((licence) => licence.subscription_id === id)
  const licences = bound.map(({ device_id, bound_at }) => [device_id, bound_at])
  return [
    {
      sql: PUT_SUBSCRIPTION,
      values: [
        ...[id, book.account, one.sku, one.status, one.quantity, one.period, one.billing_provider, givesUntil(one)],
        ...[one.since, one.channel, one.revision, one.scheduled && JSON.stringify(one.scheduled)],
        ...[
          next?.at ?? null,
          next?.total ?? null,
          one.paused?.until ?? null,
          moreOf(book, one),
          book.count('clock'),
          book.currency,
          seq,
        ],
      ],
    },
    { sql: DROP_BINDINGS, values: [id, seq] },
    { sql: PUT_BINDINGS, values: [id, seq, JSON.stringify(licences), book.account] },
  ]
}
