import type { getLedger } from '../../../contract/billing/payment-methods-and-invoices.ts'
import type { ResponseOf } from '../../../contract/wire/call.ts'
import type { LedgerStore } from './ledger-store.ts'

type LedgerStatement = NonNullable<ResponseOf<typeof getLedger>['data']>
type StatementEntry = LedgerStatement['entries'][number]

const PAGE_SIZE = 200

interface PostingRow {
  readonly entry: number
  readonly at: number
  readonly kind: string
  readonly subject: string
  readonly account: string
  readonly cents: number
}

/**
 * Returns a page of the entries that moved money, oldest first, and the current balance of every ledger account.
 * `after`: last entry number of the previous page; 0 for the first page.
 */
export function readStatementPage({ sql }: LedgerStore, after: number): LedgerStatement {
  const rows = sql
    .exec<Readonly<Record<keyof PostingRow, string | number>>>(
      `SELECT entry_id AS entry, at, kind, subject, account, cents
       FROM (SELECT * FROM entries WHERE entry_id > ? AND entry_id IN (SELECT entry_id FROM postings)
             ORDER BY entry_id LIMIT ?)
       JOIN postings USING (entry_id) ORDER BY entry_id, posting_id`,
      after,
      PAGE_SIZE + 1,
    )
    .toArray() as unknown as PostingRow[]
  const entries = new Map<number, StatementEntry>()
  for (const { entry, at, kind, subject, account, cents } of rows) {
    const statementEntry = entries.get(entry) ?? { entry, at, kind, subject, bill: '', postings: [] }
    statementEntry.postings.push({ account, cents })
    entries.set(entry, statementEntry)
  }
  const all = [...entries.values()]
  const page = all.slice(0, PAGE_SIZE)
  addInvoiceNumbers(sql, page)
  const sums = sql
    .exec<{ account: string; cents: number }>(
      'SELECT account, sum(cents) AS cents FROM postings GROUP BY account ORDER BY account',
    )
    .toArray()
    .map(({ account, cents }) => ({ account, cents }))
  return { entries: page, sums, next: all.length > PAGE_SIZE ? String(page.at(-1)?.entry) : null }
}

/** Adds the number of the invoice or credit note that each entry wrote last. Reads the images once for the page. */
function addInvoiceNumbers(sql: LedgerStore['sql'], page: readonly StatementEntry[]): void {
  const [first, last] = [page[0], page.at(-1)]
  if (!first || !last) return
  const rows = sql
    .exec<{ entry: number; bill: string }>(
      `SELECT entry_id AS entry, id AS bill FROM images
       WHERE kind = 'invoice' AND entry_id BETWEEN ? AND ? ORDER BY image_id`,
      first.entry,
      last.entry,
    )
    .toArray()
  const bills = new Map(rows.map(({ entry, bill }) => [entry, bill]))
  for (const entry of page) entry.bill = bills.get(entry.entry) ?? ''
}
