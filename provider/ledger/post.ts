import type { DurableObjectStorage } from '@cloudflare/workers-types'
import { OWNER } from '../../contract/roles.ts'
import { homeStub } from '../access/home-stub.ts'
import type { Env } from '../env.ts'
import { CHARGE_WAIT_MS, openCharges } from './charges.ts'
import type { LedgerContext } from './context.ts'
import { acknowledge, outgoing, type Outgoing } from './outbox.ts'
import { projectionOf } from './projection.ts'

/** What could not be told is told again so much later. */
const AGAIN_MS = 2000

/** Tells others what the book has written, in its order, until they have it; and sets the one alarm. */
export class Post {
  private readonly env: Env
  private readonly storage: DurableObjectStorage
  private readonly ctx: LedgerContext
  private failed = false
  private sending: Promise<void> | null = null

  constructor(env: Env, storage: DurableObjectStorage, ctx: LedgerContext) {
    this.env = env
    this.storage = storage
    this.ctx = ctx
  }

  /** Sends what is there; whoever comes meanwhile waits for it, and sends what has come since. */
  async send(now: number): Promise<void> {
    while (this.sending) await this.sending
    this.sending = this.#send(now).finally(() => {
      this.sending = null
    })
    await this.sending
  }

  async #send(_now: number): Promise<void> {
    const messages = outgoing(this.ctx.book)
    if (messages.length === 0) return
    try {
      await this.#write(messages)
      await this.#forget(messages)
      acknowledge(this.ctx.book, messages)
      this.failed = false
      if (messages.some(({ kind }) => kind === 'subscription')) await this.#tellHomes()
    } catch (error) {
      this.failed = true
      console.error(JSON.stringify({ at: 'ledger', msg: error instanceof Error ? error.message : 'unknown' }))
    }
  }

  async #write(messages: readonly Outgoing[]): Promise<void> {
    const { book, taxBasisPoints } = this.ctx
    const statements = messages.flatMap((one) => projectionOf(book, one, taxBasisPoints))
    if (statements.length === 0) return
    await this.env.DB.batch(statements.map(({ sql, values }) => this.env.DB.prepare(sql).bind(...values)))
  }

  async #forget(messages: readonly Outgoing[]): Promise<void> {
    for (const one of messages)
      if (one.kind === 'forget') await this.ctx.gateway?.forget(this.ctx.book.account, one.token)
  }

  /** Open pages of the account's homes ask again what covers their cameras. */
  async #tellHomes(): Promise<void> {
    const { results } = await this.env.DB.prepare(
      `SELECT home_id FROM home_members WHERE user_id = ? AND role = ${OWNER}`,
    )
      .bind(this.ctx.book.account)
      .all<{ home_id: string }>()
    await Promise.all(results.map(({ home_id }) => homeStub(this.env, home_id).plansChanged()))
  }

  /** Sets the alarm to the earliest moment that is due. */
  async wake(): Promise<void> {
    const { book } = this.ctx
    const due = book.nextDue()
    const isOpen = openCharges(book).some(({ parked }) => !parked)
    const soon = this.failed || (outgoing(book).length > 0 && !this.sending) ? Date.now() + AGAIN_MS : null
    const at = Math.min(due ?? Infinity, soon ?? Infinity, isOpen ? Date.now() + CHARGE_WAIT_MS : Infinity)
    if (at === Infinity) await this.storage.deleteAlarm()
    else if ((await this.storage.getAlarm()) !== at) await this.storage.setAlarm(Math.max(at, Date.now() + 500))
  }
}
