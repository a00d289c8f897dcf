import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import type { SqlStorage } from '@cloudflare/workers-types'
import { CURRENCY } from '../../contract/billing/amounts.ts'
import { LedgerStore } from '../../provider/billing/ledger/ledger-store.ts'
import type { LedgerContext } from '../../provider/billing/ledger/ledger-context.ts'
import { addMethod } from '../../provider/billing/ledger/payment-methods.ts'
import { LEDGER_SCHEMA } from '../../provider/billing/ledger/ledger-schema.ts'
import { BillingService } from '../../provider/billing/ledger/billing-service.ts'
import {
  GatewayDownError,
  RefundFailedError,
  type ChargeRequest,
  type PaymentGateway,
  type GatewayMethod,
} from '../../provider/billing/payment/gateway-interface.ts'

/**
 * Fault of one request to the payment gateway. `down`: the request is not sent. `lost`: the response is lost.
 * `pending`: the bank has not decided on the authorization yet. `killed`: the process is killed before or after the
 * request.
 */
export type GatewayFault = 'ok' | 'down' | 'lost' | 'pending' | 'declined' | 'killed before' | 'killed after'

/** Error that simulates a killed process: no later step of the operation runs. */
export class ProcessKilled extends Error {}

interface PendingCharge {
  readonly state: 'pending'
}

interface Charge extends ChargeRequest {
  state: 'authorised' | 'declined' | 'captured'
  /** Time of the capture, ms UTC. */
  at?: number
}

/** Fake payment gateway that fails on demand, for tests of the ledger. */
export class FaultyGateway implements PaymentGateway {
  readonly chargesByKey: Map<string, Charge> = new Map()
  readonly deletedTokens: string[] = []
  /** Faults of the next requests, one per request. All later requests succeed. */
  faults: GatewayFault[] = []
  requestCount = 0

  openCardPage(): Promise<{ session: string; url: string }> {
    return Promise.resolve({ session: 'session', url: 'https://pay.example/' })
  }
  claimMethod(): Promise<GatewayMethod | null> {
    return Promise.resolve(null)
  }

  async authorize(request: ChargeRequest) {
    return await this.#runWithFault('authorise', () => {
      const existing = this.chargesByKey.get(request.key)
      if (existing && existing.cents !== request.cents) throw new Error('The same key for another amount.')
      const state = existing?.state ?? (this.#currentFault === 'declined' ? 'declined' : 'authorised')
      this.chargesByKey.set(request.key, { ...request, state })
      if (state === 'declined') return { state, code: '4221', errors: [{ field: 'number', text: 'No funds.' }] }
      return { state: 'authorised' as const, authorisation: `auth ${request.key}` }
    })
  }

  async capture(_account: string, key: string, now = 0) {
    const result = await this.#runWithFault('capture', () => {
      const existing = this.chargesByKey.get(key)
      if (!existing || existing.state === 'declined') throw new Error('Nothing was authorised.')
      this.chargesByKey.set(key, { ...existing, state: 'captured', at: existing.at ?? now })
      return { charge: `charge ${key}` }
    })
    if ('state' in result) throw new Error('A capture does not wait.')
    return result
  }

  readonly refunds: Map<string, { key: string; cents: number }> = new Map()
  async refund(_account: string, key: string, refundKey: string, cents: number) {
    await this.#runWithFault('capture', () => {
      const existing = this.refunds.get(refundKey)
      if (existing && (existing.cents !== cents || existing.key !== key))
        throw new Error('The same refund of another amount.')
      this.refunds.set(refundKey, { key, cents })
    })
    if (this.returnedRefundKeys.has(refundKey)) throw new RefundFailedError()
    return { refund: `refund ${refundKey}` }
  }
  /** Keys of refunds that failed because the bank returned the money. */
  readonly returnedRefundKeys: Set<string> = new Set()
  adoptAccount(): Promise<void> {
    return Promise.resolve()
  }
  hasRefundFailed(_account: string, _key: string, refundKey: string): Promise<boolean> {
    return Promise.resolve(this.returnedRefundKeys.has(refundKey))
  }
  #sumRefunds(key: string): number {
    return [...this.refunds].reduce(
      (sum, [id, refund]) => (refund.key === key && !this.returnedRefundKeys.has(id) ? sum + refund.cents : sum),
      0,
    )
  }
  deleteMethod(_account: string, token: string): Promise<void> {
    this.deletedTokens.push(token)
    return Promise.resolve()
  }
  eraseAccount(): Promise<void> {
    return Promise.resolve()
  }
  charges() {
    const captured = [...this.chargesByKey.values()].filter(({ state }) => state === 'captured')
    return Promise.resolve(
      captured.map(({ key, cents, currency, at = 0 }) => ({
        key,
        charge: `charge ${key}`,
        cents,
        currency,
        refunded: this.#sumRefunds(key),
        at,
      })),
    )
  }

  #currentFault: GatewayFault = 'ok'
  #runWithFault<T>(operation: 'authorise' | 'capture', work: () => T): Promise<T | PendingCharge> {
    this.requestCount += 1
    this.#currentFault = this.faults.shift() ?? 'ok'
    const runOperation = (): T | PendingCharge => {
      if (this.#currentFault === 'down') throw new GatewayDownError()
      if (this.#currentFault === 'killed before') throw new ProcessKilled()
      if (this.#currentFault === 'pending' && operation === 'authorise') return { state: 'pending' }
      const done = work()
      if (this.#currentFault === 'lost') throw new GatewayDownError()
      if (this.#currentFault === 'killed after') throw new ProcessKilled()
      return done
    }
    return Promise.resolve().then(runOperation)
  }
}

/** Wraps Node's SQLite in the interface of a Durable Object's storage. */
export function toSqlStorage(db: DatabaseSync): SqlStorage {
  const statements = new Map<string, StatementSync>()
  const exec = (text: string, ...values: (string | number | null)[]) => {
    const statement = statements.get(text) ?? db.prepare(text)
    statements.set(text, statement)
    const rows = statement.all(...values)
    return { toArray: () => rows, one: () => rows[0] }
  }
  return { exec } as unknown as SqlStorage
}

export const TEST_GATEWAY_METHOD: GatewayMethod = {
  token: 'token_1',
  type: 'card',
  brand: 'visa',
  last_four: '4242',
  name: '',
  ends: { month: 12, year: 2099 },
  address: ['1 Lake Road', 'Reno'],
}

export interface TestLedger {
  readonly book: LedgerStore
  readonly context: LedgerContext
  readonly gateway: FaultyGateway
  /** Billing service of the current process. `restart` replaces it. */
  billingService: BillingService
  /**
   * Simulates a process restart: cancels `killAfter`, and creates a new billing service on the stored data.
   * `scheduleAlarm`: function that sets the alarm.
   */
  restart(scheduleAlarm?: LedgerContext['scheduleAlarm']): void
  /** Restarts the ledger as if the deployment's currency had changed to `currency`. */
  switchCurrency(currency: string): void
  /**
   * Lets the next `transactions` transactions succeed. All transactions after them throw `ProcessKilled` until a
   * restart.
   */
  killAfter(transactions: number): void
  /** Copies the ledger, as a backup does. */
  copyRows(): LedgerRows
  /** Replaces the ledger by a copy and puts it on hold, as a restore does. The gateway stays as it is. */
  restoreRows(rows: LedgerRows): void
}

/** Rows of a ledger by table. */
export type LedgerRows = ReadonlyMap<string, readonly Record<string, SQLOutputValue>[]>

/** Tables of a ledger. A table comes after those to which its rows refer. */
const LEDGER_TABLES = ['entries', 'postings', 'images', 'records', 'outbox', 'counters', 'self'] as const

/** Opens a new ledger in memory. `card`: adds one card. `sells`: gives the ledger a payment gateway. */
export function openTestLedger({
  card = true,
  sells: hasGateway = true,
  now = 0,
  account = 'user_a',
  currency = CURRENCY,
} = {}): TestLedger {
  const db = new DatabaseSync(':memory:')
  for (const step of LEDGER_SCHEMA) db.exec(step)
  let transactionsUntilKill = Infinity
  const transaction = <T>(work: () => T): T => {
    if ((transactionsUntilKill -= 1) < 0) throw new ProcessKilled()
    db.exec('BEGIN')
    try {
      const result = work()
      db.exec('COMMIT')
      return result
    } catch (error) {
      db.exec('ROLLBACK')
      throw error
    }
  }
  const gateway = new FaultyGateway()
  let idCount = 0
  let ledgerCurrency = currency
  const startProcess = (scheduleAlarm = () => Promise.resolve()) => {
    const book = new LedgerStore({ sql: toSqlStorage(db), transaction }, account, ledgerCurrency)
    const newId = (kind: string) => `${kind}_${(idCount += 1)}`
    const ctx: LedgerContext = {
      book,
      gateway: hasGateway ? gateway : null,
      taxBasisPoints: 825,
      newId,
      scheduleAlarm,
    }
    const billingService = new BillingService(ctx, { ticketKey: 'key', waitMaxResponseTime: waitForMicrotasks })
    return { book, context: ctx, billingService }
  }
  // Fake of the maximum time that a purchase waits for the gateway. The wait ends after 200 microtask turns, so only
  // gateway responses that need no timer arrive in time.
  const waitForMicrotasks = async () => {
    for (let turn = 0; turn < 200; turn += 1) await Promise.resolve()
  }
  const firstProcess = startProcess()
  const testLedger: TestLedger = {
    ...firstProcess,
    gateway,
    restart(scheduleAlarm) {
      transactionsUntilKill = Infinity
      Object.assign(testLedger, startProcess(scheduleAlarm))
    },
    switchCurrency(currency) {
      ledgerCurrency = currency
      testLedger.restart()
    },
    killAfter(transactions) {
      transactionsUntilKill = transactions
    },
    copyRows: () => new Map(LEDGER_TABLES.map((table) => [table, db.prepare(`SELECT * FROM ${table}`).all()])),
    restoreRows(rows) {
      for (const table of LEDGER_TABLES.toReversed()) db.exec(`DELETE FROM ${table}`)
      for (const [table, copies] of rows)
        for (const row of copies)
          db.prepare(`INSERT INTO ${table} VALUES (${Object.keys(row).fill('?').join()})`).run(...Object.values(row))
      testLedger.restart()
      testLedger.book.setCounter('held', 1)
    },
  }
  if (card) firstProcess.book.transaction(() => addMethod(firstProcess.context, 'session_1', TEST_GATEWAY_METHOD, now))
  return testLedger
}
