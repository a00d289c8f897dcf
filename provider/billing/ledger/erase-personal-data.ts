import * as v from 'valibot'
import type { LedgerStore } from './ledger-store.ts'
import { RECORDS, type RecordKind, type RecordOf } from './record-schemas.ts'

type PaidWith = { brand: string; last_four: string; name: string } | null
const nameless = <M extends PaidWith | undefined>(method: M) =>
  method ? { ...method, last_four: '', name: '' } : method

/**
 * Content of a record that is retained after its account is deleted, by kind; null: none. Invoices and entries must be
 * retained under the account's random id, but without name, address, card or camera.
 */
const LEFT: { readonly [K in RecordKind]: (record: RecordOf<K>) => RecordOf<K> | null } = {
  subscription: (subscription) => ({
    ...subscription,
    overdue: subscription.overdue && { ...subscription.overdue, method: nameless(subscription.overdue.method) },
  }),
  invoice: (invoice) => ({ ...invoice, method: nameless(invoice.method), buyer: [] }),
  redemption: (redemption) => redemption,
  order: (order) => ({ ...order, method: nameless(order.method) }),
  charge: (charge) =>
    charge.job.kind === 'renewal' ? charge : { ...charge, job: { ...charge.job, cameras: [], own: [] } },
  refund: (refund) => refund,
  licence: () => null,
  notice: () => null,
  choice: () => null,
  method: () => null,
  intent: () => null,
}

/**
 * Returns true for a charge whose result is unknown. Its record stays unchanged, because it is needed to book the
 * charge.
 */
const isUnderWay = (kind: RecordKind, due: number | null) => kind === 'charge' && due !== null

function left(kind: RecordKind, body: string): string | null {
  const of = LEFT[kind] as (record: unknown) => unknown
  const record = of(v.parse(RECORDS[kind], JSON.parse(body)))
  return record === null ? null : JSON.stringify(record)
}

/** Removes personal data from records and journal, inside a transaction. Idempotent. */
export function erasePersonalData({ sql }: LedgerStore): void {
  const records = sql
    .exec<{ kind: RecordKind; id: string; due: number | null; body: string }>('SELECT kind, id, due, body FROM records')
    .toArray()
  for (const { kind, id, due, body } of records) {
    if (isUnderWay(kind, due)) continue
    const after = left(kind, body)
    if (after === null) sql.exec('DELETE FROM records WHERE kind = ? AND id = ?', kind, id)
    else if (after !== body) sql.exec('UPDATE records SET body = ? WHERE kind = ? AND id = ?', after, kind, id)
  }
  // Deletes queued notifications, because the account that would receive them is deleted.
  sql.exec("DELETE FROM outbox WHERE json_extract(body, '$.kind') = 'message'")
  const images = sql
    .exec<{ image_id: number; kind: RecordKind; body: string | null }>('SELECT image_id, kind, body FROM images')
    .toArray()
  for (const { image_id, kind, body } of images) {
    const after = body === null ? null : left(kind, body)
    if (after === null && kind === 'licence') sql.exec('DELETE FROM images WHERE image_id = ?', image_id)
    else if (after !== null && after !== body)
      sql.exec('UPDATE images SET body = ? WHERE image_id = ?', after, image_id)
  }
}
