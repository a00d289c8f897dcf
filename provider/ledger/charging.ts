import { GatewayDown, type Authorised, type Gateway } from '../payment/port.ts'
import type { Order } from '../../contract/purchase.ts'
import { bookPurchase } from './booking.ts'
import { putCharge } from './charges.ts'
import type { LedgerContext } from './context.ts'
import { remember } from './intents.ts'
import type { ChargeRecord, DeclinedAnswer, PurchaseJob } from './records.ts'
import { refuse } from './refuse.ts'
import { bookRenewal, declineRenewal } from './renewals.ts'

/** A question that was not answered is asked so many times at once, before it waits. */
const ASKS = 2

/** Where a charge is after a step: `wait`: nothing more for now. */
type Step = 'on' | 'wait' | 'over'

/**
 * Takes a charge through its states, each in a transaction of its own, the question to the gateway between two. Whoever goes
 * on after a kill begins where the record says. `isDone` of `until`: no further question.
 */
export class Charging {
  private readonly ctx: LedgerContext
  /** One at a time for each charge. */
  private readonly running = new Map<string, Promise<void>>()

  constructor(ctx: LedgerContext) {
    this.ctx = ctx
  }

  /** Goes on until nothing more is to be done for now. */
  drive(chargeId: string, now: number): Promise<void> {
    const running = this.running.get(chargeId) ?? this.#go(chargeId, now).finally(() => this.running.delete(chargeId))
    this.running.set(chargeId, running)
    return running
  }

  async #go(chargeId: string, now: number): Promise<void> {
    for (;;) {
      const charge = this.ctx.book.get('charge', chargeId)
      if (charge === null || (await this.#step(charge, now)) !== 'on') return
    }
  }

  async #step(charge: ChargeRecord, now: number): Promise<Step> {
    const { book, gateway } = this.ctx
    const put = (change: Partial<ChargeRecord>) =>
      book.transaction(() => {
        putCharge(book, { ...charge, heard: true, parked: false, tries: 0, asked_at: now, ...change })
      })
    if (charge.state === 'captured') {
      book.transaction(() => {
        this.#book(charge, now)
      })
      return 'over'
    }
    if (charge.state !== 'written' && charge.state !== 'authorised') return 'over'
    await this.ctx.wake()
    const answer = gateway && (await this.#ask(gateway, charge, now))
    if (answer === null) return this.#unheard(charge, now)
    if (answer.state === 'pending') put({ tries: charge.tries + 1 })
    else if (answer.state === 'authorised') put({ state: 'authorised' })
    else if (answer.state === 'captured') put({ state: 'captured', charge: answer.charge })
    else
      book.transaction(() => {
        this.#decline(charge, answer, now)
      })
    return answer.state === 'pending' ? 'wait' : answer.state === 'declined' ? 'over' : 'on'
  }

  /** Null: it is not known what became of it. */
  async #ask(gateway: Gateway, { charge_id: key, state, cents, token }: ChargeRecord, now: number) {
    const { account } = this.ctx.book
    const ask = async (): Promise<Authorised | { state: 'captured'; charge: string }> =>
      state === 'written'
        ? await gateway.authorise({ key, account, token, cents, currency: 'USD' }, now)
        : { state: 'captured', ...(await gateway.capture(account, key, now)) }
    for (let asked = 1; ; asked += 1) {
      try {
        return await ask()
      } catch (error) {
        if (!isDown(error)) throw error
        if (asked >= ASKS) return null
      }
    }
  }

  /** A first question that nobody answered is left to its intent: nothing is collected behind the back of somebody who was told so. */
  #unheard(charge: ChargeRecord, now: number): Step {
    const { book } = this.ctx
    const parked = charge.state === 'written' && !charge.heard && charge.job.kind === 'purchase'
    book.transaction(() => {
      putCharge(book, { ...charge, parked, tries: charge.tries + 1, asked_at: now })
    })
    return 'wait'
  }

  #decline(charge: ChargeRecord, { code, errors }: Extract<Authorised, { state: 'declined' }>, now: number): void {
    const { book } = this.ctx
    const told = /^[1-9]\d*$/.test(code) ? Number(code) : code
    const declined = refuse(told, 402, undefined, { errors }) as DeclinedAnswer
    putCharge(book, { ...charge, state: 'declined', parked: false, asked_at: now, declined })
    if (charge.job.kind === 'renewal') declineRenewal(this.ctx, charge.job, now)
    else this.#answer(charge, declined, now)
  }

  #book(charge: ChargeRecord, now: number): void {
    putCharge(this.ctx.book, { ...charge, state: 'booked', asked_at: now })
    if (charge.job.kind === 'renewal') bookRenewal(this.ctx, charge.job, charge.cents, now)
    else this.#answer(charge, { state: 'done', order: this.#order(charge, charge.job, now) }, now)
  }

  #order({ charge_id, intent, method_id }: ChargeRecord, { sealed, cameras, own }: PurchaseJob, now: number): Order {
    const method = this.ctx.book.get('method', method_id)
    return bookPurchase(this.ctx, { intent, order_id: charge_id, sealed, cameras, own, method }, now)
  }

  #answer({ intent }: ChargeRecord, answer: unknown, now: number): void {
    const known = this.ctx.book.get('intent', intent)
    if (known) remember(this.ctx.book, intent, { hash: known.hash, answer }, now)
  }
}

/** By its name too: across objects an error keeps its name only. */
const isDown = (error: unknown): boolean =>
  error instanceof GatewayDown || (error instanceof Error && error.name === 'GatewayDown')
