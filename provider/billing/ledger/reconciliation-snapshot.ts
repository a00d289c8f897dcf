import type { LedgerStore } from './ledger-store.ts'
import type { LedgerContext } from './ledger-context.ts'
import { buildProjection, type Statement } from './projection.ts'
import type { InvoiceRecord } from './record-schemas.ts'
import { sumRefunds } from './refunds.ts'
import { nextDueAt } from './subscription-rules.ts'

export interface BookedCharge {
  /** Id of the charge, also used as its key at the gateway. */
  readonly key: string
  readonly state: 'written' | 'authorised' | 'captured' | 'booked' | 'declined'
  readonly cents: number
  readonly currency: string
  /** Charge id of the gateway, once captured. */
  readonly charge: string | null
  /** Refunded cents. */
  readonly refunded: number
  /** True if the ledger cannot record the charge's result. */
  readonly stuck: boolean
}

/** Two sums in cents that must be equal: `posted` from the postings, `told` from the charges or invoices. */
export interface Sum {
  readonly what: string
  readonly posted: number
  readonly told: number
}

export interface Audit {
  /** ISO code of the ledger's amounts; `isOfOtherCurrency` if the deployment sells in another one. */
  readonly currency: string
  readonly isOfOtherCurrency: boolean
  readonly charges: readonly BookedCharge[]
  /** Entries whose postings do not sum to 0, with that sum. */
  readonly crooked: readonly { readonly entry: number; readonly cents: number }[]
  readonly sums: readonly Sum[]
  /** Records that differ from their state in the journal, `{kind} {id}`. */
  readonly strayed: readonly string[]
  /** Ids of subscriptions whose renewal or ending failed and was postponed. */
  readonly postponed: readonly string[]
  /** Rows that D1 must contain according to the ledger. */
  readonly subscriptions: readonly Record<string, string | number | null>[]
  readonly bindings: readonly { readonly device_id: string; readonly subscription_id: string }[]
}

/** Columns of a D1 row, in the order in which the projection writes them. */
export const PROJECTED = [
  ...['subscription_id', 'user_id', 'sku', 'status', 'quantity', 'period', 'billing_provider', 'renews_at', 'since'],
  ...['channel', 'revision', 'scheduled', 'next_at', 'next_total', 'paused_until', 'more', 'clock', 'currency'],
] as const

const toProjectedRow = (statement: Statement | undefined) =>
  Object.fromEntries(PROJECTED.map((name, n) => [name, statement?.values[n] ?? null]))

export function buildAudit({ book, taxBasisPoints }: LedgerContext): Audit {
  const charges = book.all('charge').map(({ charge_id: key, state, cents, currency, charge, stuck }) => ({
    ...{ key, state, cents, currency, charge, stuck, refunded: sumRefunds(book, key) },
  }))
  const [replayed, standing] = [book.replay(), book.standing()]
  const ids = new Set([...replayed.keys(), ...standing.keys()])
  return {
    currency: book.currency,
    isOfOtherCurrency: book.isOfOtherCurrency(),
    charges,
    crooked: findUnbalancedEntries(book),
    sums: buildSums(book, charges),
    strayed: [...ids].filter((id) => replayed.get(id) !== standing.get(id)),
    postponed: book
      .due('subscription', Number.MAX_SAFE_INTEGER)
      .flatMap(({ record, due }) => (due === nextDueAt(record) ? [] : record.subscription_id)),
    subscriptions: book
      .all('subscription')
      .map(({ subscription_id: id }) =>
        toProjectedRow(buildProjection(book, { kind: 'subscription', id, seq: 0 }, taxBasisPoints)[0]),
      ),
    bindings: book.all('licence').map(({ device_id, subscription_id }) => ({ device_id, subscription_id })),
  }
}

const findUnbalancedEntries = ({ sql }: LedgerStore) =>
  sql
    .exec<{ entry: number; cents: number }>(
      'SELECT entry_id AS entry, sum(cents) AS cents FROM postings GROUP BY entry_id HAVING sum(cents) <> 0',
    )
    .toArray()

/**
 * Compares ledger accounts with charges and invoices: `cash` with the collected charges and with the paid invoices,
 * `receivable` with the open invoices, and tax and revenue less discounts with all invoices. Opening entries are
 * excluded.
 */
function buildSums(book: LedgerStore, charges: readonly BookedCharge[]): Sum[] {
  const bills = book.all('invoice')
  const over = (of: (bill: InvoiceRecord) => number) => bills.reduce((sum, bill) => sum + of(bill), 0)
  const booked = charges.filter(({ state }) => state === 'booked')
  const cash = book.sumPostings('cash')
  return [
    {
      what: 'cash, collected',
      posted: cash,
      told: booked.reduce((sum, { cents, refunded }) => sum + cents - refunded, 0),
    },
    { what: 'cash, billed', posted: cash, told: over(({ paid }) => paid) },
    {
      what: 'receivable',
      posted: book.sumPostings('receivable'),
      told: over((bill) => (bill.state === 'open' ? bill.total : 0)),
    },
    { what: 'tax', posted: 0 - book.sumPostings('tax'), told: over(({ tax }) => tax) },
    { what: 'revenue', posted: earned(book), told: over(({ subtotal }) => subtotal) + book.sumPostings('opening') },
  ]
}

function earned({ sql }: LedgerStore): number {
  const { cents } = sql
    .exec<{ cents: number | null }>(
      "SELECT sum(cents) AS cents FROM postings WHERE account = 'discount' OR account LIKE 'revenue:%'",
    )
    .one()
  return 0 - (cents ?? 0)
}
