import type { LedgerStore } from './ledger-store.ts'
import type { LedgerContext } from './ledger-context.ts'
import { buildProjection, type SqlStatement } from './projection.ts'
import type { InvoiceRecord } from './record-schemas.ts'
import { sumRefunds } from './refunds.ts'
import { getNextDueTime } from './subscription-rules.ts'

export interface LedgerCharge {
  /** Id of the charge, also used as its key at the payment gateway. */
  readonly key: string
  readonly state: 'written' | 'authorised' | 'captured' | 'booked' | 'declined'
  readonly cents: number
  readonly currency: string
  /** Charge id of the payment gateway, once captured. */
  readonly charge: string | null
  /** Refunded cents. */
  readonly refunded: number
  /** True if the ledger could not record the result of the charge. */
  readonly stuck: boolean
}

/** Two sums in cents that must be equal. `posted`: sum of the postings. `told`: sum from the charges or invoices. */
export interface SumComparison {
  readonly what: string
  readonly posted: number
  readonly told: number
}

export interface ReconciliationSnapshot {
  /** ISO code of the ledger's amounts. `isOfOtherCurrency`: true if the deployment sells in a different currency. */
  readonly currency: string
  readonly isOfOtherCurrency: boolean
  /** True from a restore until the ledger agrees with the payment gateway. */
  readonly isHeld: boolean
  readonly charges: readonly LedgerCharge[]
  /** Journal entries whose postings do not sum to 0. `cents`: their sum. */
  readonly crooked: readonly { readonly entry: number; readonly cents: number }[]
  readonly sums: readonly SumComparison[]
  /** Records that differ from their state in the journal, as `{kind} {id}`. */
  readonly strayed: readonly string[]
  /** Ids of subscriptions whose renewal or ending failed and was postponed. */
  readonly postponed: readonly string[]
  /** Rows that D1 must contain according to the ledger. */
  readonly subscriptions: readonly Record<string, string | number | null>[]
  readonly bindings: readonly { readonly device_id: string; readonly subscription_id: string }[]
}

/** Columns of the D1 table `subscriptions`, in the order of the values in the projection's statement. */
export const PROJECTED_COLUMNS = [
  'subscription_id',
  'user_id',
  'sku',
  'status',
  'quantity',
  'period',
  'billing_provider',
  'renews_at',
  'since',
  'channel',
  'revision',
  'scheduled',
  'next_at',
  'next_total',
  'paused_until',
  'more',
  'clock',
  'currency',
] as const

const toProjectedRow = (statement: SqlStatement | undefined) =>
  Object.fromEntries(PROJECTED_COLUMNS.map((name, n) => [name, statement?.values[n] ?? null]))

export function buildReconciliationSnapshot({ book, taxBasisPoints }: LedgerContext): ReconciliationSnapshot {
  const charges = book.listRecords('charge').map(({ charge_id: key, state, cents, currency, charge, stuck }) => ({
    key,
    state,
    cents,
    currency,
    charge,
    stuck,
    refunded: sumRefunds(book, key),
  }))
  const [replayed, currentRecords] = [book.replay(), book.readCurrentRecords()]
  const ids = new Set([...replayed.keys(), ...currentRecords.keys()])
  return {
    isHeld: book.isHeld(),
    currency: book.currency,
    isOfOtherCurrency: book.hasOtherCurrency(),
    charges,
    crooked: findUnbalancedEntries(book),
    sums: buildSums(book, charges),
    strayed: [...ids].filter((id) => replayed.get(id) !== currentRecords.get(id)),
    postponed: book
      .listDue('subscription', Number.MAX_SAFE_INTEGER)
      .flatMap(({ record, due }) => (due === getNextDueTime(record) ? [] : record.subscription_id)),
    subscriptions: book
      .listRecords('subscription')
      .map(({ subscription_id: id }) =>
        toProjectedRow(buildProjection(book, { kind: 'subscription', id, seq: 0 }, taxBasisPoints)[0]),
      ),
    bindings: book.listRecords('licence').map(({ device_id, subscription_id }) => ({ device_id, subscription_id })),
  }
}

const findUnbalancedEntries = ({ sql }: LedgerStore) =>
  sql
    .exec<{ entry: number; cents: number }>(
      'SELECT entry_id AS entry, sum(cents) AS cents FROM postings GROUP BY entry_id HAVING sum(cents) <> 0',
    )
    .toArray()

/**
 * Compares ledger accounts with charges and invoices. Imported paid periods have no invoice, so the revenue check adds
 * the postings of the `opening` account.
 */
function buildSums(store: LedgerStore, charges: readonly LedgerCharge[]): SumComparison[] {
  const invoices = store.listRecords('invoice')
  const sumInvoices = (getCents: (bill: InvoiceRecord) => number) =>
    invoices.reduce((sum, bill) => sum + getCents(bill), 0)
  const booked = charges.filter(({ state }) => state === 'booked')
  const cash = store.sumPostings('cash')
  return [
    {
      what: 'cash, collected',
      posted: cash,
      told: booked.reduce((sum, { cents, refunded }) => sum + cents - refunded, 0),
    },
    { what: 'cash, billed', posted: cash, told: sumInvoices(({ paid }) => paid) + sumRecovered(store) },
    {
      what: 'receivable',
      posted: store.sumPostings('receivable'),
      told: sumInvoices((bill) => (bill.state === 'open' ? bill.total : 0)),
    },
    { what: 'tax', posted: 0 - store.sumPostings('tax'), told: sumInvoices(({ tax }) => tax) },
    {
      what: 'revenue',
      posted: sumRevenue(store),
      told: sumInvoices(({ subtotal }) => subtotal) + store.sumPostings('opening'),
    },
  ]
}

/** Cash that was credited to the balance after a restore, so that no invoice contains it. */
const sumRecovered = ({ sql }: LedgerStore): number =>
  sql
    .exec<{ cents: number | null }>(
      `SELECT sum(cents) AS cents FROM postings JOIN entries USING (entry_id)
       WHERE account = 'cash' AND kind = 'recovered'`,
    )
    .one().cents ?? 0

function sumRevenue({ sql }: LedgerStore): number {
  const { cents } = sql
    .exec<{ cents: number | null }>(
      "SELECT sum(cents) AS cents FROM postings WHERE account = 'discount' OR account LIKE 'revenue:%'",
    )
    .one()
  return 0 - (cents ?? 0)
}
