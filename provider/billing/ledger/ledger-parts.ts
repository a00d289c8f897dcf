/** Creates the services of one account's ledger, and imports rows from before the ledger existed. */
import { randomBytes } from 'node:crypto'
import type { DurableObjectStorage } from '@cloudflare/workers-types'
import { DEFAULT_TAX_BASIS_POINTS } from '../../../contract/billing/money.ts'
import type { Env } from '../../env.ts'
import { findRestoredAccount } from '../payment/restored-accounts.ts'
import { selectGateway } from '../payment/select-gateway.ts'
import { BillingService } from './billing-service.ts'
import type { LedgerContext } from './ledger-context.ts'
import { LedgerStore } from './ledger-store.ts'
import { importSubscriptions } from './legacy-import.ts'
import { readLegacyRows } from './legacy-rows.ts'
import { createOutboxConsumers } from './outbox-consumers.ts'
import { OutboxDispatcher } from './outbox-dispatcher.ts'

/** Maximum time a purchase request blocks before the client must poll its task. */
const waitMaxResponseTime = () => new Promise<void>((resolve) => setTimeout(resolve, 4000))

export interface LedgerParts {
  readonly ctx: LedgerContext
  readonly billing: BillingService
  readonly dispatcher: OutboxDispatcher
}

/** Opens an account's ledger. `objectName`: name of the Durable Object, which is the user id. */
export function openLedgerParts(storage: DurableObjectStorage, env: Env, objectName: string | undefined): LedgerParts {
  const account = readAccount(storage, objectName)
  const store = new LedgerStore({ sql: storage.sql, transaction: (work) => storage.transactionSync(work) }, account)
  const ctx: LedgerContext = {
    book: store,
    gateway: selectGateway(env),
    taxBasisPoints: Number(env.TAX_BASIS_POINTS ?? DEFAULT_TAX_BASIS_POINTS),
    scheduleAlarm: () => dispatcher.scheduleAlarm(),
    newId: (kind) => `${kind}_${randomBytes(12).toString('hex')}`,
  }
  const billing = new BillingService(ctx, { ticketKey: env.TICKET_KEY, waitMaxResponseTime })
  const dispatcher = new OutboxDispatcher(ctx, createOutboxConsumers(env, account), storage)
  return { ctx, billing, dispatcher }
}

/** Returns the user id. Stores it on first use, because the object's name may be unknown during an alarm. */
function readAccount({ sql }: DurableObjectStorage, objectName: string | undefined): string {
  const [row] = sql.exec<{ account: string }>('SELECT account FROM self').toArray()
  if (row) return row.account
  if (objectName === undefined) throw new Error('This ledger has no account.')
  sql.exec('INSERT INTO self (account) VALUES (?)', objectName)
  return objectName
}

/**
 * Imports the account's D1 rows from before the ledger existed. If a restored backup lacks the ledger, puts it on hold
 * (restore-hold.ts). Does nothing if the rows are already imported.
 */
export async function importLegacyRows(ctx: LedgerContext, env: Env, now: number): Promise<void> {
  const { openings, licences: licenses } = await readLegacyRows(env, ctx.book.account)
  const restored = await findRestoredAccount(env, ctx.book.account)
  ctx.book.transaction(() => {
    if (ctx.book.getCounter('opened') > 0) return
    importSubscriptions(ctx, openings, licenses, now)
    ctx.book.incrementCounter('opened')
    if (restored) ctx.book.setCounter('held', 1)
  })
}
