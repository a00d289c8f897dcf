/**
 * `porchlight reconcile`: compares the ledger of every account of a running provider with the payment gateway and the
 * projection.
 */
import { join } from 'node:path'
import * as v from 'valibot'
import { formatMoney } from '../contract/billing/amounts.ts'
import { ADMIN_PATHS } from '../contract/operator/operator-calls.ts'
import { repairPageResponse, reconciliationPage } from '../contract/operator/reconciliation.ts'
import { formatCommand, parseCommandArguments, runCommand } from './lib/command.ts'
import { callOperator, readOperator, type OperatorCredentials } from './lib/operator.ts'
import { deleteRestoreRecord, formatMismatch, settleRestoredLedgers } from './lib/settle-ledgers.ts'

const HELP = `${formatCommand('reconcile')} [options]
  Compares the ledger of each account with the payment gateway and with the plans that cover its cameras. Prints one line
  per difference, and exits with code 1 if there are any.
  After a restore, first books the payments that the gateway collected since the backup, and then lets billing continue.
  --release EMAIL  after a restore, let billing continue for this account in spite of differences
  --rebuild      rebuild the projections of all ledgers, then compare
  --open         create the missing ledgers from the existing data
  --data DIR     data folder of the running Porchlight (.porchlight)
  --env FILE     environment file of another provider, such as production.env`

const printLine = (line: string) => console.log(line)

async function main(): Promise<void> {
  const { values } = parseCommandArguments(
    {
      args: process.argv.slice(2),
      options: {
        data: { type: 'string', default: '.porchlight' },
        env: { type: 'string' },
        release: { type: 'string' },
        rebuild: { type: 'boolean', default: false },
        open: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    },
    HELP,
  )
  if (values.help) return printLine(HELP)
  const operator = readOperator(values.env ?? join(values.data, 'run.env'))
  const isSettled = await settleRestoredLedgers(operator, { release: values.release ?? null, printLine })
  if (isSettled && values.env === undefined) deleteRestoreRecord(values.data)
  if (values.open) printLine(`Accounts with a ledger: ${await runForAllAccounts(operator, 'open')}`)
  if (values.rebuild) printLine(`Ledgers with rebuilt projections: ${await runForAllAccounts(operator, 'rebuild')}`)
  process.exitCode = (await compareLedgers(operator)) && isSettled ? 0 : 1
}

async function runForAllAccounts(operator: OperatorCredentials, action: 'open' | 'rebuild'): Promise<number> {
  let accountCount = 0
  for (let after: string | null = ''; after !== null;) {
    const path: string = `${ADMIN_PATHS.books}/${action}?after=${after}`
    const { data } = v.parse(repairPageResponse, await callOperator(operator, 'POST', path))
    accountCount += data.accounts
    after = data.next
  }
  return accountCount
}

async function compareLedgers(operator: OperatorCredentials): Promise<boolean> {
  const totals = { accounts: 0, charges: 0, differences: 0 }
  const centsByCurrency = new Map<string, number>()
  for (let after: string | null = ''; after !== null;) {
    const path: string = `${ADMIN_PATHS.books}?after=${after}`
    const { data } = v.parse(reconciliationPage, await callOperator(operator, 'GET', path))
    for (const { email, charges, cents, currency, differences } of data.accounts) {
      totals.accounts += 1
      totals.charges += charges
      if (charges > 0) centsByCurrency.set(currency, (centsByCurrency.get(currency) ?? 0) + cents)
      totals.differences += differences.length
      for (const difference of differences) printLine(`${email}  ${formatMismatch(difference, currency)}`)
    }
    after = data.next
  }
  const amounts =
    [...centsByCurrency].map(([currency, cents]) => formatMoney(cents, currency)).join(' and ') || formatMoney(0)
  printLine(
    `${totals.accounts} ${totals.accounts === 1 ? 'account' : 'accounts'}, ${totals.charges} ${totals.charges === 1 ? 'charge' : 'charges'}, ${amounts}: ${formatResult(totals.differences)}`,
  )
  return totals.differences === 0
}

const formatResult = (differences: number) =>
  differences === 0
    ? 'ledger, gateway, and projection agree.'
    : `${differences} ${differences === 1 ? 'difference' : 'differences'}.`

await runCommand(main)
