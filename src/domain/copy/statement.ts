import type { ResponseOf } from '../../../contract/wire/call.ts'
import type { getLedger } from '../../../contract/billing/payment-methods-and-invoices.ts'
import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import { SKUS } from '../../../contract/billing/skus.ts'
import { formatPlainAmount } from '../../../contract/billing/amounts.ts'

type StatementData = NonNullable<ResponseOf<typeof getLedger>['data']>
export type LedgerEntry = StatementData['entries'][number]
export type LedgerSum = StatementData['sums'][number]

const ENTRY_KIND_LABELS: Readonly<Record<string, string>> = {
  purchase: 'Purchase',
  trial: 'Free trial',
  opening: 'Opening balance',
  renewal: 'Renewal',
  declined: 'Payment declined, invoice open',
  void: 'Invoice voided',
  ended: 'Ended early, unused time refunded',
  credit: 'Credit added',
  cancelled: 'Canceled, unused time refunded',
  refund: 'Refund',
  refund_failed: 'Refund returned by the bank and resent',
  refund_returned: 'Refund returned by the bank, added to your balance',
  recovered: 'Earlier payment, added to your balance',
  elsewhere: 'Renewed, not billed by us',
  undone: 'Cancellation undone',
  extension: 'Free trial extended',
}

/** Returns the name of a ledger entry. For an unknown kind, derives the name from the kind's id. */
export const entryLabel = ({ kind }: Pick<LedgerEntry, 'kind'>): string =>
  ENTRY_KIND_LABELS[kind] ?? kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll(/[-_]/g, ' ')

const ACCOUNT_LABELS: Readonly<Record<string, string>> = {
  cash: 'Cards and wallets',
  balance: 'Your balance',
  receivable: 'Unpaid invoices',
  tax: 'Sales tax',
  discount: 'Coupons',
  promotion: 'Promotional credit',
  opening: 'Paid before this ledger began',
}

/** Returns the name of a ledger account; revenue accounts are named by their plan. */
export function accountLabel(account: string): string {
  const sku = SKUS.find((candidate) => account === `revenue:${candidate}`)
  return sku ? `Plan: ${getPlan(sku).name}` : (ACCOUNT_LABELS[account] ?? account)
}

/** Returns the ledger as a table, one row per posting, times in UTC. The amounts sum to 0. */
export function createLedgerTable(entries: readonly LedgerEntry[]): string[][] {
  return [
    ['Time (UTC)', 'Entry', 'Type', 'Reference', 'Account', 'Amount'],
    ...entries.flatMap((entry) =>
      entry.postings.map(({ account, cents }) => [
        new Date(entry.at).toISOString(),
        String(entry.entry),
        entryLabel(entry),
        entry.subject,
        account,
        formatPlainAmount(cents),
      ]),
    ),
  ]
}
