import { rmSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { formatMoney } from '../../contract/billing/amounts.ts'
import { ADMIN_PATHS } from '../../contract/operator/operator-calls.ts'
import { settlementPage, type LedgerMismatch } from '../../contract/operator/reconciliation.ts'
import { readRestoredRecord, RESTORED_NAME } from './backup/swap-folders.ts'
import { formatBareCommand } from './command.ts'
import { callOperator, type OperatorCredentials } from './operator.ts'
import type { RunEnvironment } from './secrets.ts'
import { StopError } from './stop.ts'

export interface SettlementOptions {
  /** Email address of an account whose hold ends in spite of differences; null: none. */
  readonly release: string | null
  readonly printLine: (line: string) => void
}

/**
 * Ends the holds of restored ledgers that agree with the payment gateway, after booking the charges that they lack.
 * Returns true if no ledger is on hold any more.
 */
export async function settleRestoredLedgers(
  operator: OperatorCredentials,
  { release, printLine }: SettlementOptions,
): Promise<boolean> {
  const totals = { settled: 0, held: 0 }
  for (let after: string | null = ''; after !== null;) {
    const query: string = `after=${after}${release === null ? '' : `&release=${encodeURIComponent(release)}`}`
    const response = await callOperator(operator, 'POST', `${ADMIN_PATHS.books}/settle?${query}`)
    const { data } = v.parse(settlementPage, response)
    for (const { email, is_settled: isSettled, cents, currency, differences } of data.settled) {
      totals[isSettled ? 'settled' : 'held'] += 1
      if (cents > 0)
        printLine(`${email}  ${formatMoney(cents, currency)} collected after the backup was added to the balance.`)
      if (!isSettled)
        for (const difference of differences) printLine(`${email}  on hold: ${formatMismatch(difference, currency)}`)
    }
    after = data.next
  }
  if (totals.settled > 0) printLine(`Billing continues for ${formatLedgers(totals.settled)}.`)
  if (totals.held > 0) printLine(describeHold(totals.held))
  return totals.held === 0
}

/**
 * Ends the holds after a restore if the payment gateway was restored with the ledgers: the embedded gateway's data are
 * in the same backup. If the backup used Stripe, or if Porchlight uses it now, tells the operator what to do instead.
 * Does nothing without a restore.
 */
export async function continueBillingAfterRestore(
  data: string,
  env: OperatorCredentials & Pick<RunEnvironment, 'BILLING_GATEWAY'>,
  printLine: (line: string) => void,
): Promise<void> {
  const restored = readRestoredRecord(data)
  if (restored === null) return
  const hold = `Billing is on hold, because this data is from the backup of ${restored.backup_at}`
  const command = formatBareCommand('reconcile')
  if (env.BILLING_GATEWAY === 'stripe')
    return printLine(`${hold}. To compare it with the payment gateway, run ${command}.`)
  if (restored.gateway === 'stripe')
    return printLine(
      `${hold}. It used Stripe, but BILLING_GATEWAY isn't set to stripe. Start Porchlight with your Stripe settings, then run ${command}.`,
    )
  try {
    if (await settleRestoredLedgers(env, { release: null, printLine })) deleteRestoreRecord(data)
  } catch (error) {
    if (!(error instanceof StopError)) throw error
    printLine(`Billing is on hold after the restore. ${error.message} To try again, run ${command}.`)
  }
}

/** Deletes the record of a restore, after which `npm start` reports no hold. */
export const deleteRestoreRecord = (data: string): void => rmSync(join(data, RESTORED_NAME), { force: true })

/** Returns a mismatch as text, with both amounts if it has amounts. */
export function formatMismatch({ where, what: subject, book, other }: LedgerMismatch, currency: string): string {
  const amount = (cents: number | null) => (cents === null ? 'nothing' : formatMoney(cents, currency))
  if (book === null && other === null) return `${where}: ${subject}`
  const otherLabel = where === 'book' ? 'should be' : where
  return `${where}: ${subject}: ledger ${amount(book)}, ${otherLabel} ${amount(other)}`
}

const formatLedgers = (count: number) => `${count} ${count === 1 ? 'account' : 'accounts'}`

const describeHold = (count: number) =>
  `Billing is still on hold for ${formatLedgers(count)}. Fix the differences, or accept those of one account with --release EMAIL.`
