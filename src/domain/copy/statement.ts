import type { ResponseOf } from '../../../contract/wire/call.ts'
import type { getLedger } from '../../../contract/billing/payment-methods-and-invoices.ts'
import { getPlan } from '../../../contract/billing/plan-catalog.ts'
import { SKUS } from '../../../contract/billing/skus.ts'
import { formatPlainAmount } from '../../../contract/billing/amounts.ts'

type StatementData = NonNullable<ResponseOf<typeof getLedger>['data']>
export type LedgerEntry = StatementData['entries'][number]
export type LedgerSum = StatementData['sums'][number]

const ENTRY_KIND_LABELS: Readonly<Record<string, string>> = {
  purchase: 'Bought',
  trial: 'Free days',
  opening: 'There before this book',
  renewal: 'Renewed',
  declined: 'Billed, not paid yet',
  void: 'Bill taken back',
  ended: 'Ended early, the rest given back',
  credit: 'Credit added',
  cancelled: 'Cancelled, the rest given back',
  refund: 'Money given back',
  refund_failed: 'Refund returned by the bank, sent again',
  refund_returned: 'Refund returned by the bank, added to the balance',
  elsewhere: 'Renewed elsewhere',
  undone: 'Cancelling undone',
  extension: 'More days given',
}

/** Returns the name of a ledger entry. For an unknown kind, derives the name from the kind's id. */
export const entryLabel = ({ kind }: Pick<LedgerEntry, 'kind'>): string =>
  ENTRY_KIND_LABELS[kind] ?? kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll(/[-_]/g, ' ')

const ACCOUNT_LABELS: Readonly<Record<string, string>> = {
  cash: 'Your cards and wallets',
  balance: 'Your balance',
  receivable: 'Bills still to pay',
  tax: 'Sales tax',
  discount: 'Coupons',
  promotion: 'Gifts',
  opening: 'Paid before this book',
}

/** Returns the name of a ledger account; revenue accounts are named by their plan. */
export function accountLabel(account: string): string {
  const sku = SKUS.find((candidate) => account === `revenue:${candidate}`)
  return sku ? `Plan: ${getPlan(sku).name}` : (ACCOUNT_LABELS[account] ?? account)
}

/** Returns the ledger as a table, one row per posting, times in UTC. The amounts sum to 0. */
export function createLedgerTable(entries: readonly LedgerEntry[]): string[][] {
  return [
    ['Time (UTC)', 'Entry', 'What', 'Subject', 'Account', 'Amount'],
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
