import * as v from 'valibot'
import { NOTIFICATION_KINDS } from '../../../contract/account/notifications.ts'
import type { LedgerStore } from './ledger-store.ts'

/**
 * Messages of the outbox: changed subscription, used coupon, payment method to delete at the gateway, refund to send,
 * or notification.
 */
const outboxMessage = v.variant('kind', [
  v.object({ kind: v.literal('subscription'), id: v.string() }),
  v.object({ kind: v.literal('coupon'), code: v.string(), intent: v.string() }),
  v.object({ kind: v.literal('forget'), token: v.string() }),
  v.object({ kind: v.literal('refund'), id: v.string() }),
  v.object({
    kind: v.literal('message'),
    what: v.picklist(NOTIFICATION_KINDS),
    key: v.string(),
    at: v.number(),
    facts: v.record(v.string(), v.union([v.string(), v.number()])),
  }),
])
export type OutboxMessage = v.InferOutput<typeof outboxMessage>
export type OutboxEntry = OutboxMessage & { readonly seq: number }

export function addToOutbox(store: LedgerStore, newMessage: OutboxMessage): void {
  store.sql.exec(
    'INSERT INTO outbox (seq, body) VALUES (?, ?)',
    store.incrementCounter('seq'),
    JSON.stringify(newMessage),
  )
}

export function listOutbox(store: LedgerStore): OutboxEntry[] {
  const rows = store.sql.exec<{ seq: number; body: string }>('SELECT seq, body FROM outbox ORDER BY seq').toArray()
  return rows.map(({ seq, body }) => ({ ...v.parse(outboxMessage, JSON.parse(body)), seq }))
}

export function acknowledge(store: LedgerStore, sent: readonly OutboxEntry[]): void {
  store.transaction(() => {
    for (const { seq } of sent) store.sql.exec('DELETE FROM outbox WHERE seq = ?', seq)
  })
}
