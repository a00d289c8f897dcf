import { DurableObject } from 'cloudflare:workers'
import type { Env } from '../../../env.ts'
import { migrateSchema } from '../../../platform/migrate-schema.ts'
import { CARD_PAGE_MS, CardSessions, type CardStep, type CardView } from './card-sessions.ts'
import { Charges, type Answered } from './charge-rows.ts'
import { SCHEMA } from './gateway-schema.ts'
import type { NewMethod } from './payment-method-rows.ts'
import type { CardPurpose, ChargeRequest, GatewayCharge, TakenMethod } from '../gateway-interface.ts'

/**
 * Payment gateway for demonstrations (docs/decisions/0054), one per account, named by the user id. Its storage is its
 * own: the ledger uses it only through the gateway interface (`select-gateway.ts`). Times are ms UTC.
 */
export class EmbeddedGateway extends DurableObject<Env> {
  private readonly cards: CardSessions
  private readonly all: Charges

  constructor(ctx: DurableObject['ctx'], env: Env) {
    super(ctx, env)
    const { sql } = ctx.storage
    migrateSchema(sql, SCHEMA)
    this.cards = new CardSessions(sql)
    this.all = new Charges(sql)
  }

  async openCard(session: string, purpose: CardPurpose, now: number): Promise<void> {
    this.cards.open(session, purpose, now)
    if ((await this.ctx.storage.getAlarm()) === null)
      await this.ctx.storage.setAlarm(Math.max(now, Date.now()) + CARD_PAGE_MS)
  }
  enterCard(session: string, now: number): boolean {
    return this.cards.enter(session, now)
  }
  viewCard(session: string, now: number): CardView | null {
    return this.cards.view(session, now)
  }
  saveCard(session: string, method: NewMethod, now: number): CardStep | null {
    return this.ctx.storage.transactionSync(() => this.cards.save(session, method, now))
  }
  confirmCard(session: string, accepted: boolean, now: number): CardStep | null {
    return this.ctx.storage.transactionSync(() => this.cards.confirm(session, accepted, now))
  }
  leaveCard(session: string, now: number): CardStep | null {
    return this.ctx.storage.transactionSync(() => this.cards.leave(session, now))
  }

  claimMethod(session: string, proof: string | null, now: number): TakenMethod {
    return this.ctx.storage.transactionSync(() => this.cards.claimMethod(session, proof, now))
  }
  async alarm(): Promise<void> {
    await this.deleteUnreturnedSessions(Date.now())
  }
  async deleteUnreturnedSessions(now: number): Promise<void> {
    const next = this.ctx.storage.transactionSync(() => this.cards.deleteUnreturnedSessions(now))
    if (next !== null) await this.ctx.storage.setAlarm(next)
  }
  authorize(ask: Omit<ChargeRequest, 'account'>, now: number): Answered {
    return this.ctx.storage.transactionSync(() => this.all.authorize(ask, now))
  }
  capture(key: string, now: number): string | null {
    return this.all.capture(key, now)
  }
  refund(key: string, refundKey: string, cents: number, now: number): string | null {
    return this.ctx.storage.transactionSync(() => this.all.refund(key, refundKey, cents, now))
  }
  deleteMethod(token: string): void {
    this.ctx.storage.sql.exec('DELETE FROM methods WHERE token = ?', token)
  }
  /** Deletes personal data of a deleted account. Collected charges stay, for `npm run reconcile`. */
  erasePersonalData(): void {
    this.ctx.storage.sql.exec('DELETE FROM card_sessions; DELETE FROM methods')
  }
  charges(): GatewayCharge[] {
    return this.all.captured()
  }
}
