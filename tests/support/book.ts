import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { SqlStorage } from '@cloudflare/workers-types'
import { CURRENCY } from '../../contract/billing/amounts.ts'
import { LedgerStore } from '../../provider/billing/ledger/ledger-store.ts'
import type { LedgerContext } from '../../provider/billing/ledger/ledger-context.ts'
import { addMethod } from '../../provider/billing/ledger/payment-methods.ts'
import { LEDGER_SCHEMA } from '../../provider/billing/ledger/ledger-schema.ts'
import { BillingService } from '../../provider/billing/ledger/billing-service.ts'
import {
  GatewayDown,
  RefundFailed,
  type ChargeRequest,
  type Gateway,
  type GatewayMethod,
} from '../../provider/billing/payment/gateway-interface.ts'

/**
 * Fault of one gateway request. `down`: the request is not sent. `lost`: its response is lost. `pending`: the bank is
 * slow. `killed`: the process is killed before or after the request.
 */
export type Fault = 'ok' | 'down' | 'lost' | 'pending' | 'declined' | 'killed before' | 'killed after'

/** Thrown to simulate that the process is killed in the middle of an operation: no later step of it runs. */
export class Killed extends Error {}

interface Pending {
  readonly state: 'pending'
}

interface Charge extends ChargeRequest {
  state: 'authorised' | 'declined' | 'captured'
}

/** Fake gateway that fails on demand, for rules of the ledger alone. */
export class FaultyGateway implements Gateway {
  readonly charges_: Map<string, Charge> = new Map()
  readonly forgotten: string[] = []
  /** Faults of the next requests, one each; all later ones succeed. */
  faults: Fault[] = []
  asked = 0

  openCardPage(): Promise<{ session: string; url: string }> {
    return Promise.resolve({ session: 'session', url: 'https://pay.example/' })
  }
  claimMethod(): Promise<GatewayMethod | null> {
    return Promise.resolve(null)
  }

  async authorize(ask: ChargeRequest) {
    return await this.#faulty('authorise', () => {
      const existing = this.charges_.get(ask.key)
      if (existing && existing.cents !== ask.cents) throw new Error('The same key for another amount.')
      const state = existing?.state ?? (this.#next === 'declined' ? 'declined' : 'authorised')
      this.charges_.set(ask.key, { ...ask, state })
      if (state === 'declined') return { state, code: '4221', errors: [{ field: 'number', text: 'No funds.' }] }
      return { state: 'authorised' as const, authorisation: `auth ${ask.key}` }
    })
  }

  async capture(_account: string, key: string) {
    const answer = await this.#faulty('capture', () => {
      const existing = this.charges_.get(key)
      if (!existing || existing.state === 'declined') throw new Error('Nothing was authorised.')
      this.charges_.set(key, { ...existing, state: 'captured' })
      return { charge: `charge ${key}` }
    })
    if ('state' in answer) throw new Error('A capture does not wait.')
    return answer
  }

  readonly refunds: Map<string, { key: string; cents: number }> = new Map()
  async refund(_account: string, key: string, refundKey: string, cents: number) {
    await this.#faulty('capture', () => {
      const existing = this.refunds.get(refundKey)
      if (existing && (existing.cents !== cents || existing.key !== key))
        throw new Error('The same refund of another amount.')
      this.refunds.set(refundKey, { key, cents })
    })
    if (this.returned.has(refundKey)) throw new RefundFailed()
    return { refund: `refund ${refundKey}` }
  }
  /** Keys of refunds that failed because the bank returned the money. */
  readonly returned: Set<string> = new Set()
  hasFailed(_account: string, _key: string, refundKey: string): Promise<boolean> {
    return Promise.resolve(this.returned.has(refundKey))
  }
  #refundedOf(key: string): number {
    return [...this.refunds].reduce(
      (sum, [id, refund]) => (refund.key === key && !this.returned.has(id) ? sum + refund.cents : sum),
      0,
    )
  }
  deleteMethod(_account: string, token: string): Promise<void> {
    this.forgotten.push(token)
    return Promise.resolve()
  }
  eraseAccount(): Promise<void> {
    return Promise.resolve()
  }
  charges() {
    const captured = [...this.charges_.values()].filter(({ state }) => state === 'captured')
    return Promise.resolve(
      captured.map(({ key, cents, currency }) => ({
        ...{ key, charge: `charge ${key}`, cents, currency, refunded: this.#refundedOf(key), at: 0 },
      })),
    )
  }

  #next: Fault = 'ok'
  #faulty<T>(operation: 'authorise' | 'capture', work: () => T): Promise<T | Pending> {
    this.asked += 1
    this.#next = this.faults.shift() ?? 'ok'
    const answer = (): T | Pending => {
      if (this.#next === 'down') throw new GatewayDown()
      if (this.#next === 'killed before') throw new Killed()
      if (this.#next === 'pending' && operation === 'authorise') return { state: 'pending' }
      const done = work()
      if (this.#next === 'lost') throw new GatewayDown()
      if (this.#next === 'killed after') throw new Killed()
      return done
    }
    return Promise.resolve().then(answer)
  }
}

/** Node's SQLite behind the interface of a Durable Object's storage. */
export function sqlOver(db: DatabaseSync): SqlStorage {
  const statements = new Map<string, StatementSync>()
  const exec = (text: string, ...values: (string | number | null)[]) => {
    const statement = statements.get(text) ?? db.prepare(text)
    statements.set(text, statement)
    const rows = statement.all(...values)
    return { toArray: () => rows, one: () => rows[0] }
  }
  return { exec } as unknown as SqlStorage
}

export const CARD: GatewayMethod = {
  ...{ token: 'token_1', type: 'card', brand: 'visa', last_four: '4242', name: '' },
  ...{ ends: { month: 12, year: 2099 }, address: ['1 Lake Road', 'Reno'] },
}

export interface TestBook {
  readonly book: LedgerStore
  readonly ctx: LedgerContext
  readonly gateway: FaultyGateway
  /** Billing service of the current process. `restart` replaces it. */
  till: BillingService
  /**
   * Simulates a process restart: creates a new billing service on the stored data. `wake`: function that sets the
   * alarm.
   */
  restart(wake?: LedgerContext['wake']): void
  /** Restarts the ledger as if the deployment's currency had changed to `currency`. */
  sellIn(currency: string): void
  /**
   * Lets this number of further transactions succeed. The next one then throws `Killed`, as if the process had been
   * killed.
   */
  killAfter(transactions: number): void
}

/** Opens an empty ledger. `card`: with one card; `sells`: with a gateway. */
export function openBook({
  card = true,
  sells = true,
  now = 0,
  account = 'user_a',
  currency = CURRENCY,
} = {}): TestBook {
  const db = new DatabaseSync(':memory:')
  for (const step of LEDGER_SCHEMA) db.exec(step)
  let killIn = Infinity
  const transaction = <T>(work: () => T): T => {
    if ((killIn -= 1) < 0) throw new Killed()
    db.exec('BEGIN')
    try {
      const answer = work()
      db.exec('COMMIT')
      return answer
    } catch (error) {
      db.exec('ROLLBACK')
      throw error
    }
  }
  const gateway = new FaultyGateway()
  let ids = 0
  let bookCurrency = currency
  const make = (wake = () => Promise.resolve()) => {
    const book = new LedgerStore({ sql: sqlOver(db), transaction }, account, bookCurrency)
    const newId = (kind: string) => `${kind}_${(ids += 1)}`
    const ctx: LedgerContext = { book, gateway: sells ? gateway : null, taxBasisPoints: 825, newId, wake }
    return { book, ctx, till: new BillingService(ctx, { ticketKey: 'key', patience }) }
  }
  // Replaces the maximum time that a buyer waits: only yields to pending promises, so immediate gateway responses
  // arrive in time and slower ones do not.
  const patience = async () => {
    for (let turn = 0; turn < 200; turn += 1) await Promise.resolve()
  }
  const made = make()
  const opened: TestBook = {
    ...made,
    gateway,
    restart(wake) {
      killIn = Infinity
      Object.assign(opened, make(wake))
    },
    sellIn(currency) {
      bookCurrency = currency
      opened.restart()
    },
    killAfter(transactions) {
      killIn = transactions
    },
  }
  if (card) made.book.transaction(() => addMethod(made.ctx, 'session_1', CARD, now))
  return opened
}
