import { IS_OWNER_LICENSE_SQL, ownedCamerasSql } from '../../homes/members/owned-cameras.ts'
import type { LedgerStore } from './ledger-store.ts'
import { listLicenseMoveTimes } from './license-transfers.ts'
import type { OutboxEntry } from './outbox.ts'
import type { SubscriptionRecord } from './record-schemas.ts'
import { listAttemptTimes, retryTimes } from './renewal-retries.ts'
import { getAccessEnd, getNextCharge } from './subscription-rules.ts'

export interface SqlStatement {
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
 * True if D1 has stored this message of the subscription and no newer one. Older messages must not change license
 * assignments. `PUT_BINDINGS` skips a camera that has moved to a home of other owners: the ledger keeps its license,
 * but only plans of its new home's owners cover it.
 */
const HAS_CURRENT_SEQ = 'EXISTS (SELECT 1 FROM subscriptions WHERE subscription_id = ?1 AND seq = ?2)'
const DELETE_BINDINGS = `DELETE FROM bindings WHERE subscription_id = ?1 AND ${HAS_CURRENT_SEQ}`
const PUT_BINDINGS = `
  INSERT INTO bindings (device_id, subscription_id, bound_at, camera_bound_at)
  SELECT value ->> 0, ?1, value ->> 1, value ->> 2 FROM json_each(?3)
  WHERE ${HAS_CURRENT_SEQ} AND value ->> 0 IN (${ownedCamerasSql('?4')})
  ON CONFLICT (device_id) DO UPDATE SET subscription_id = excluded.subscription_id, bound_at = excluded.bound_at,
    camera_bound_at = excluded.camera_bound_at
  WHERE NOT ${IS_OWNER_LICENSE_SQL}`

const USE_COUPON = `
  INSERT INTO coupon_holds (code, user_id, intent, state, expires_at) VALUES (?1, ?2, ?3, 'used', NULL)
  ON CONFLICT (code, user_id) DO UPDATE SET state = 'used', intent = excluded.intent, expires_at = NULL`

export function buildProjection(store: LedgerStore, message: OutboxEntry, basisPoints: number): SqlStatement[] {
  if (message.kind === 'coupon')
    return [{ sql: USE_COUPON, values: [message.code.toLowerCase(), store.account, message.intent] }]
  const record = message.kind === 'subscription' ? store.get('subscription', message.id) : null
  return record ? buildSubscriptionStatements(store, record, message.seq, basisPoints) : []
}

/** Serializes `leaving` and `open` of contract/billing/subscriptions.ts as JSON; null if there is neither. */
function serializeExtras(store: LedgerStore, subscription: SubscriptionRecord): string | null {
  const { leaving, overdue, over } = subscription
  const bill = overdue && !over ? store.get('invoice', overdue.bill) : null
  if (!leaving && !bill) return null
  return JSON.stringify({
    leaving: leaving && { at: leaving.at, to_method: leaving.to_method, to_balance: leaving.to_balance },
    open: bill &&
      overdue && {
        total: bill.total,
        due_at: subscription.until,
        tries: overdue.tries,
        ...toFailureFields(store, subscription),
      },
  })
}

const toFailureFields = (store: LedgerStore, subscription: SubscriptionRecord) => ({
  tried_at: listAttemptTimes(store, subscription),
  next_tries: retryTimes(subscription),
  code: subscription.overdue?.code ?? '',
  method: subscription.overdue?.method ?? null,
})

function buildSubscriptionStatements(
  store: LedgerStore,
  subscription: SubscriptionRecord,
  seq: number,
  basisPoints: number,
): SqlStatement[] {
  const { subscription_id: id } = subscription
  const next = getNextCharge(store, subscription, basisPoints)
  const assignedLicenses = store.listRecords('licence').filter((license) => license.subscription_id === id)
  const moveTimes = assignedLicenses.length > 0 ? listLicenseMoveTimes(store) : new Map<string, number>()
  const licenses = assignedLicenses.map(({ device_id, bound_at }) => [
    device_id,
    bound_at,
    Math.max(bound_at, moveTimes.get(device_id) ?? 0),
  ])
  return [
    {
      sql: PUT_SUBSCRIPTION,
      values: [
        id,
        store.account,
        subscription.sku,
        subscription.status,
        subscription.quantity,
        subscription.period,
        subscription.billing_provider,
        getAccessEnd(subscription),
        subscription.since,
        subscription.channel,
        subscription.revision,
        subscription.scheduled && JSON.stringify(subscription.scheduled),
        next?.at ?? null,
        next?.total ?? null,
        subscription.paused?.until ?? null,
        serializeExtras(store, subscription),
        store.getCounter('clock'),
        store.currency,
        seq,
      ],
    },
    { sql: DELETE_BINDINGS, values: [id, seq] },
    { sql: PUT_BINDINGS, values: [id, seq, JSON.stringify(licenses), store.account] },
  ]
}
