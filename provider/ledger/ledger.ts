import { DurableObject } from 'cloudflare:workers'
import { randomBytes } from 'node:crypto'
import type { DurableObjectState } from '@cloudflare/workers-types'
import { DEFAULT_TAX_BASIS_POINTS } from '../../contract/money.ts'
import { migrate } from '../base/migrate.ts'
import type { Env } from '../env.ts'
import { gatewayOf } from '../payment/gateway.ts'
import type { GatewayMethod } from '../payment/port.ts'
import type { CouponUse, LedgerCalls, Opening, PurchaseAsk, Wanted } from './answers.ts'
import { auditOf } from './audit.ts'
import { Book } from './book.ts'
import { isBusy } from './charges.ts'
import type { LedgerContext } from './context.ts'
import { lookAt, useCoupon, usedBefore } from './coupons.ts'
import { forgetPerson } from './forget-person.ts'
import { once } from './intents.ts'
import { bills } from './invoices.ts'
import { bindTo } from './licences.ts'
import { addMethod, chooseMethod, methodsOf, removeMethod, turnAway } from './methods.ts'
import { addOpenings } from './openings.ts'
import { toOutbox } from './outbox.ts'
import { Post } from './post.ts'
import { accountGone, busy } from './refuse.ts'
import { readersOf } from './readers.ts'
import { rowsBefore } from './rows-before.ts'
import { LEDGER_SCHEMA } from './schema.ts'
import { stateOf } from './state.ts'
import { Till } from './till.ts'

/** How long somebody who buys is kept waiting before they follow a task. */
const PATIENCE_MS = 4000

const patience = () => new Promise<void>((resolve) => setTimeout(resolve, PATIENCE_MS))

interface Parts {
  readonly ctx: LedgerContext
  readonly till: Till
  readonly post: Post
}

/** The one writer of an account's money, named by its user id (docs/decisions/0053). */
export class Ledger extends DurableObject<Env> implements LedgerCalls {
  #parts: Parts | null = null

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    ctx.storage.transactionSync(() => migrate(ctx.storage.sql, LEDGER_SCHEMA))
  }

  async preview(wanted: Wanted, now: number) {
    return await this.#with(now, ({ till }) => till.preview(wanted, now))
  }
  async purchase(ask: PurchaseAsk, now: number) {
    return await this.#with(now, ({ till }) => till.purchase(ask, now))
  }
  async task(processId: string, now: number) {
    return await this.#with(now, ({ till }) => till.task(processId, now))
  }
  /** Whether the intent has begun or was answered: what it needs once is not to be taken again. */
  async knows(intent: string, now: number) {
    return await this.#with(now, ({ ctx }) => ctx.book.get('intent', intent) !== null)
  }

  async methods(now: number) {
    return await this.#with(now, ({ ctx }) => methodsOf(ctx, now))
  }
  async addMethod(session: string, method: GatewayMethod, now: number) {
    return await this.#write(now, (ctx) =>
      ctx.book.isEnded() ? turnAway(ctx.book, method.token) : addMethod(ctx, session, method, now),
    )
  }
  async chooseMethod(intent: string, methodId: string, now: number) {
    return await this.#write(now, ({ book }) => {
      const asked = { intent, body: ['choose', methodId] }
      return once(book, asked, now, () => chooseMethod(book, methodId, now))
    })
  }
  async removeMethod(intent: string, methodId: string, now: number) {
    return await this.#write(now, ({ book }) => {
      const asked = { intent, body: ['remove', methodId] }
      return once(book, asked, now, () => removeMethod(book, methodId, now))
    })
  }
  async state(now: number) {
    return await this.#with(now, async ({ ctx, till }) => {
      await till.due(now)
      return stateOf(ctx.book, now)
    })
  }
  /** What was billed, newest first. */
  async invoices(now: number) {
    return await this.#with(now, ({ ctx }) => bills(ctx.book))
  }
  async lookAtCoupon(use: CouponUse, now: number) {
    return await this.#with(now, ({ ctx }) => lookAt(ctx, use, now))
  }
  async useCoupon(intent: string, use: CouponUse, now: number) {
    return await this.#with(now, async ({ ctx, till }) => {
      await till.due(now)
      const { book } = ctx
      return book.transaction(() =>
        once(book, { intent, body: use }, now, () => {
          if (book.isEnded()) return accountGone()
          if (isBusy(book)) return busy()
          const used = usedBefore(book, use.code)
          if (used) return used
          const changes = lookAt(ctx, use, now)
          const subscription_id = useCoupon(ctx, use, intent, now)
          return { state: 'done' as const, subscription_id, balance: book.balance(), changes }
        }),
      )
    })
  }

  async bind(subscriptionId: string, devices: readonly string[], mine: readonly string[], now: number) {
    return await this.#write(now, ({ book }) => bindTo(book, subscriptionId, devices, mine, now))
  }
  async open(openings: readonly Opening[], now: number) {
    await this.#write(now, (ctx) => {
      addOpenings(ctx, openings, [], now)
    })
  }

  /** Brings the book to `now`: what is due is done, what is to be told is told. */
  async due(now: number): Promise<void> {
    await this.#with(now, ({ till }) => till.due(now))
  }
  /** The account is gone. */
  async end(now: number): Promise<void> {
    await this.#with(now, ({ till }) => till.end(now))
  }
  /** What names the person goes; bills and entries stay (provider/leave-account). */
  async forgetPerson(now: number): Promise<void> {
    await this.#write(now, ({ book }) => {
      forgetPerson(book)
    })
  }
  /** Everything that a comparison with gateway and projection needs. */
  async audit(now: number) {
    return await this.#with(now, ({ ctx }) => auditOf(ctx))
  }
  /** Writes the projection anew from the book. */
  async rebuild(now: number): Promise<void> {
    await this.#write(now, ({ book }) => {
      for (const { subscription_id } of book.all('subscription'))
        toOutbox(book, { kind: 'subscription', id: subscription_id })
    })
  }

  async alarm(): Promise<void> {
    await this.due(Date.now())
  }

  /** One transaction, after which what it has changed is told. */
  #write<T>(now: number, work: (ctx: LedgerContext) => T): Promise<T> {
    return this.#with(now, ({ ctx }) => ctx.book.transaction(() => work(ctx)))
  }

  async #with<T>(now: number, work: (parts: Parts) => T | Promise<T>): Promise<T> {
    const parts = (this.#parts ??= this.#open())
    const { ctx, post } = parts
    if (ctx.book.count('opened') === 0) await this.#takeOver(ctx, now)
    try {
      return await work(parts)
    } finally {
      await post.send()
      await post.wake()
    }
  }

  /** The one time that the ledger reads what it writes: rows of before there was one. */
  async #takeOver(ctx: LedgerContext, now: number): Promise<void> {
    const { openings, licences } = await rowsBefore(this.env, ctx.book.account)
    ctx.book.transaction(() => {
      if (ctx.book.count('opened') > 0) return
      addOpenings(ctx, openings, licences, now)
      ctx.book.next('opened')
    })
  }

  #open(): Parts {
    const { storage } = this.ctx
    const account = this.#account()
    const book = new Book({ sql: storage.sql, transaction: (work) => storage.transactionSync(work) }, account)
    const ctx: LedgerContext = {
      book,
      gateway: gatewayOf(this.env),
      taxBasisPoints: Number(this.env.TAX_BASIS_POINTS ?? DEFAULT_TAX_BASIS_POINTS),
      wake: () => post.wake(),
      newId: (kind) => `${kind}_${randomBytes(12).toString('hex')}`,
    }
    const till = new Till(ctx, { ticketKey: this.env.TICKET_KEY, patience })
    const post = new Post(ctx, readersOf(this.env, account), storage)
    return { ctx, till, post }
  }

  /** Kept as well, since an alarm may not know the name. */
  #account(): string {
    const { sql } = this.ctx.storage
    const [row] = sql.exec<{ account: string }>('SELECT account FROM self').toArray()
    if (row) return row.account
    const name = this.ctx.id.name
    if (name === undefined) throw new Error('A ledger has no account.')
    sql.exec('INSERT INTO self (account) VALUES (?)', name)
    return name
  }
}
