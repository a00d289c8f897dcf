import type { getBook } from '../../../contract/billing/payment-methods-and-invoices.ts'
import type { ResponseOf } from '../../../contract/wire/call.ts'
import type { LedgerStore } from './ledger-store.ts'

type OwnBook = NonNullable<ResponseOf<typeof getBook>['data']>
type Entry = OwnBook['entries'][number]

const PAGE = 200

interface Row {
  readonly entry: number
  readonly at: number
  readonly kind: string
  readonly subject: string
  readonly account: string
  readonly cents: number
}

/**
 * Returns a page of the entries that moved money, oldest first, with the balance of every ledger account after all of
 * them. `after`: last entry number of the previous page; 0 for the first page.
 */
export function ownBook({ sql }: LedgerStore, after: number): OwnBook {
  const rows = sql
    .exec<Readonly<Record<keyof Row, string | number>>>(
      `SELECT entry_id AS entry, at, kind, subject, account, cents
       FROM (SELECT * FROM entries WHERE entry_id > ? AND entry_id IN (SELECT entry_id FROM postings)
             ORDER BY entry_id LIMIT ?)
       JOIN postings USING (entry_id) ORDER BY entry_id, posting_id`,
      ...[after, PAGE + 1],
    )
    .toArray() as unknown as Row[]
  const entries = new Map<number, Entry>()
  for (const { entry, at, kind, subject, account, cents } of rows) {
    const statementEntry = entries.get(entry) ?? { entry, at, kind, subject, postings: [] }
    statementEntry.postings.push({ account, cents })
    entries.set(entry, statementEntry)
  }
  const all = [...entries.values()]
  const page = all.slice(0, PAGE)
  const sums = sql
    .exec<{ account: string; cents: number }>(
      'SELECT account, sum(cents) AS cents FROM postings GROUP BY account ORDER BY account',
    )
    .toArray()
    .map(({ account, cents }) => ({ account, cents }))
  return { entries: page, sums, next: all.length > PAGE ? String(page.at(-1)?.entry) : null }
}
