import * as v from 'valibot'
import type { LedgerStore } from './ledger-store.ts'
import { RECORD_SCHEMAS, type RecordKind, type RecordOf } from './record-schemas.ts'

type PaymentMethodSummary = { brand: string; last_four: string; name: string } | null
const eraseMethodIdentity = <M extends PaymentMethodSummary | undefined>(method: M) =>
  method ? { ...method, last_four: '', name: '' } : method

/**
 * Per record kind, reduces a record to what stays after account deletion, or to null to delete the record. Invoices and
 * entries stay under the random account id, without name, address, card or camera.
 */
const RETAINED_CONTENT: { readonly [K in RecordKind]: (record: RecordOf<K>) => RecordOf<K> | null } = {
  subscription: (subscription) => ({
    ...subscription,
    overdue: subscription.overdue && {
      ...subscription.overdue,
      method: eraseMethodIdentity(subscription.overdue.method),
    },
  }),
  invoice: (invoice) => ({ ...invoice, method: eraseMethodIdentity(invoice.method), buyer: [] }),
  redemption: (redemption) => redemption,
  order: (order) => ({ ...order, method: eraseMethodIdentity(order.method) }),
  charge: (charge) =>
    charge.job.kind !== 'purchase' ? charge : { ...charge, job: { ...charge.job, cameras: [], own: [] } },
  refund: (refund) => refund,
  licence: () => null,
  notice: () => null,
  choice: () => null,
  method: () => null,
  intent: () => null,
}

/** Returns true for a charge whose result is unknown. The ledger still needs its complete record to book the charge. */
const isChargePending = (kind: RecordKind, due: number | null) => kind === 'charge' && due !== null

function eraseRecordBody(kind: RecordKind, body: string): string | null {
  const eraseRecord = RETAINED_CONTENT[kind] as (record: unknown) => unknown
  const record = eraseRecord(v.parse(RECORD_SCHEMAS[kind], JSON.parse(body)))
  return record === null ? null : JSON.stringify(record)
}

/** Removes personal data from records and journal. Idempotent. Must run inside a transaction. */
export function erasePersonalData({ sql }: LedgerStore): void {
  const records = sql
    .exec<{ kind: RecordKind; id: string; due: number | null; body: string }>('SELECT kind, id, due, body FROM records')
    .toArray()
  for (const { kind, id, due, body } of records) {
    if (isChargePending(kind, due)) continue
    const after = eraseRecordBody(kind, body)
    if (after === null) sql.exec('DELETE FROM records WHERE kind = ? AND id = ?', kind, id)
    else if (after !== body) sql.exec('UPDATE records SET body = ? WHERE kind = ? AND id = ?', after, kind, id)
  }
  // Deletes queued notifications, because the account that would receive them is deleted.
  sql.exec("DELETE FROM outbox WHERE json_extract(body, '$.kind') = 'message'")
  const images = sql
    .exec<{ image_id: number; kind: RecordKind; body: string | null }>('SELECT image_id, kind, body FROM images')
    .toArray()
  for (const { image_id, kind, body } of images) {
    const after = body === null ? null : eraseRecordBody(kind, body)
    if (after === null && kind === 'licence') sql.exec('DELETE FROM images WHERE image_id = ?', image_id)
    else if (after !== null && after !== body)
      sql.exec('UPDATE images SET body = ? WHERE image_id = ?', after, image_id)
  }
}
