import { DurableObject } from 'cloudflare:workers'
import type { Env } from '../../../env.ts'
import { migrateSchema } from '../../../platform/migrate-schema.ts'
import { CARD_PAGE_LIFETIME_MS, CardSessions, type CardStep, type CardView } from './card-sessions.ts'
import { ChargeRows, type EmbeddedAuthorizationResult } from './charge-rows.ts'
import { GATEWAY_SCHEMA } from './gateway-schema.ts'
import type { NewMethod } from './payment-method-rows.ts'
import type { CardPurpose, ChargeRequest, GatewayCharge, ClaimedMethod } from '../gateway-interface.ts'

/**
 * Payment gateway for demonstrations (docs/decisions/0054): one per account, named by the user id. The ledger uses it
 * only through the gateway interface (`select-gateway.ts`). Times are ms UTC.
 */
export class EmbeddedGateway extends DurableObject<Env> {
  readonly #cardSessions: CardSessions
  readonly #chargeRows: ChargeRows

  constructor(ctx: DurableObject['ctx'], env: Env) {
    super(ctx, env)
    const { sql } = ctx.storage
    migrateSchema(sql, GATEWAY_SCHEMA)
    this.#cardSessions = new CardSessions(sql)
    this.#chargeRows = new ChargeRows(sql)
  }

  async openCard(session: string, purpose: CardPurpose, now: number): Promise<void> {
    this.#cardSessions.open(session, purpose, now)
    if ((await this.ctx.storage.getAlarm()) === null)
      await this.ctx.storage.setAlarm(Math.max(now, Date.now()) + CARD_PAGE_LIFETIME_MS)
  }
  enterCard(session: string, now: number): boolean {
    return this.#cardSessions.enter(session, now)
  }
  viewCard(session: string, now: number): CardView | null {
    return this.#cardSessions.view(session, now)
  }
  saveCard(session: string, method: NewMethod, now: number): CardStep | null {
    return this.ctx.storage.transactionSync(() => this.#cardSessions.save(session, method, now))
  }
  confirmCard(session: string, accepted: boolean, now: number): CardStep | null {
    return this.ctx.storage.transactionSync(() => this.#cardSessions.confirm(session, accepted, now))
  }
  leaveCard(session: string, now: number): CardStep | null {
    return this.ctx.storage.transactionSync(() => this.#cardSessions.leave(session, now))
  }

  claimMethod(session: string, proof: string | null, now: number): ClaimedMethod {
    return this.ctx.storage.transactionSync(() => this.#cardSessions.claimMethod(session, proof, now))
  }
  async alarm(): Promise<void> {
    await this.deleteUnreturnedSessions(Date.now())
  }
  async deleteUnreturnedSessions(now: number): Promise<void> {
    const next = this.ctx.storage.transactionSync(() => this.#cardSessions.deleteUnreturnedSessions(now))
    if (next !== null) await this.ctx.storage.setAlarm(next)
  }
  authorize(request: Omit<ChargeRequest, 'account'>, now: number): EmbeddedAuthorizationResult {
    return this.ctx.storage.transactionSync(() => this.#chargeRows.authorize(request, now))
  }
  capture(key: string, now: number): string | null {
    return this.#chargeRows.capture(key, now)
  }
  refund(key: string, refundKey: string, cents: number, now: number): string | null {
    return this.ctx.storage.transactionSync(() => this.#chargeRows.refund(key, refundKey, cents, now))
  }
  deleteMethod(token: string): void {
    this.ctx.storage.sql.exec('DELETE FROM methods WHERE token = ?', token)
  }
  /** Deletes personal data of a deleted account. Collected charges stay, for `npm run reconcile`. */
  erasePersonalData(): void {
    this.ctx.storage.sql.exec('DELETE FROM card_sessions; DELETE FROM methods')
  }
  listCharges(): GatewayCharge[] {
    return this.#chargeRows.listCaptured()
  }
}
