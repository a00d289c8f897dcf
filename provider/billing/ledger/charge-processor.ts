import {
  AuthorizationExpired,
  GatewayDown,
  type AuthorizationResult,
  type Gateway,
} from '../payment/gateway-interface.ts'
import type { Order } from '../../../contract/billing/purchase.ts'
import { bookPurchase } from './record-purchase.ts'
import { abandonCharge, putCharge } from './pending-charges.ts'
import type { LedgerContext } from './ledger-context.ts'
import { logFailure } from './failure.ts'
import { storeIdempotentResult } from './idempotency-keys.ts'
import type { ChargeRecord, DeclinedAnswer, PurchaseJob } from './record-schemas.ts'
import { accountGone, ledgerError } from './errors.ts'
import { isTooLate } from './subscription-rules.ts'
import { bookRenewal, declineRenewal, type RenewalFailure } from './renewals.ts'

/** Number of immediate attempts of an unanswered gateway request, before the charge waits. */
const ASKS = 2

/**
 * Result of one step of a charge. `on`: the next step follows. `wait`: nothing more can be done for now. `over`: the
 * charge is finished.
 */
type Step = 'on' | 'wait' | 'over'

/** Result of a charge; null if unknown. */
type Answer =
  | { readonly state: 'pending' }
  | { readonly state: 'action'; readonly url: string }
  | { readonly state: 'authorised' }
  | { readonly state: 'captured'; readonly charge: string }
  | DeclinedAnswer
  | null

/**
 * Takes a charge through its states. Each state change is one transaction, with a gateway request between two changes.
 * After a crash, the charge resumes from its record. For a deleted account nothing more is collected: collected charges
 * are booked, all others are declined.
 */
export class ChargeProcessor {
  private readonly ctx: LedgerContext
  /** Runs in progress by charge id. Each charge has at most one run at a time. */
  private readonly running = new Map<string, Promise<void>>()

  constructor(ctx: LedgerContext) {
    this.ctx = ctx
  }

  /**
   * Advances the charge until nothing more can be done for now. The alarm delivers changes that no caller waits for.
   */
  drive(chargeId: string, now: number): Promise<void> {
    const running = this.running.get(chargeId) ?? this.#go(chargeId, now).finally(() => this.running.delete(chargeId))
    this.running.set(chargeId, running)
    return running
  }

  async #go(chargeId: string, now: number): Promise<void> {
    for (;;) {
      const charge = this.ctx.book.get('charge', chargeId)
      if (charge === null || (await this.#step(charge, now)) !== 'on') break
    }
    await this.ctx.wake()
  }

  async #step(charge: ChargeRecord, now: number): Promise<Step> {
    const { book } = this.ctx
    const put = (change: Partial<ChargeRecord>) =>
      book.transaction(() => {
        putCharge(book, { ...charge, heard: true, parked: false, stuck: false, asked_at: now, ...change })
      })
    if (charge.state === 'captured')
      return this.#write(charge, now, () => {
        this.#book(charge, now)
      })
    if (charge.state !== 'written' && charge.state !== 'authorised') return 'over'
    if (charge.state === 'written' && this.#isOver(charge, now)) {
      book.transaction(() => abandonCharge(book, charge, now))
      return 'over'
    }
    await this.ctx.wake()
    const answer = book.isEnded() ? await this.#wasCollected(charge) : await this.#ask(charge, now)
    if (answer === null) return this.#unheard(charge, now)
    if (answer.state === 'refused')
      return this.#write(charge, now, () => {
        this.#decline(charge, answer, now)
      })
    if (answer.state === 'pending' || answer.state === 'action') {
      put({ action_url: answer.state === 'action' ? answer.url : null })
      return 'wait'
    }
    put(answer)
    return 'on'
  }

  /**
   * Returns true if an unanswered renewal charge is too late, because its grace period or billing period has ended.
   * Such a charge is never collected.
   */
  #isOver({ job }: ChargeRecord, now: number): boolean {
    const subscription = job.kind === 'renewal' ? this.ctx.book.get('subscription', job.subscription_id) : null
    return subscription !== null && !this.ctx.book.isEnded() && isTooLate(subscription, now)
  }

  /**
   * Books the result of a charge. A failed write is retried later and blocks no other charge; `npm run reconcile`
   * reports it.
   */
  #write(charge: ChargeRecord, now: number, work: () => void): Step {
    const { book } = this.ctx
    try {
      book.transaction(work)
      return 'over'
    } catch (error) {
      logFailure(`charge ${charge.charge_id}`, error)
      book.transaction(() => {
        putCharge(book, { ...charge, heard: true, stuck: true, asked_at: now })
      })
      return 'wait'
    }
  }

  async #ask(
    { charge_id: key, state, cents, currency, token, job, begun_at: begunAt }: ChargeRecord,
    now: number,
  ): Promise<Answer> {
    const { account } = this.ctx.book
    return await this.#answered(async (gateway) => {
      if (state !== 'written') return { state: 'captured', ...(await gateway.capture(account, key, now)) }
      const isPresent = job.kind !== 'renewal' || job.asked
      const ask = { key, account, token, cents, currency, isPresent, begunAt }
      const answer = await gateway.authorize(ask, now)
      if (answer.state === 'declined') return toDeclinedAnswer(answer)
      return answer.state === 'authorised' ? { state: 'authorised' } : answer
    })
  }

  /** Checks whether a capture whose response was lost has succeeded. Collects nothing. */
  async #wasCollected({ charge_id, state }: ChargeRecord): Promise<Answer> {
    if (state === 'written') return accountGone() as DeclinedAnswer
    return await this.#answered(async (gateway) => {
      const found = (await gateway.charges(this.ctx.book.account)).find(({ key }) => key === charge_id)
      return found ? { state: 'captured', charge: found.charge } : (accountGone() as DeclinedAnswer)
    })
  }

  async #answered(ask: (gateway: Gateway) => Promise<Answer>): Promise<Answer> {
    const { gateway } = this.ctx
    for (let attempt = 1; gateway && attempt <= ASKS; attempt += 1) {
      try {
        return await ask(gateway)
      } catch (error) {
        if (error instanceof AuthorizationExpired)
          return toDeclinedAnswer({ state: 'declined', code: '4225', errors: [] })
        if (!isDown(error)) throw error
      }
    }
    return null
  }

  /**
   * Handles a gateway request without a response. Parks a purchase whose first request got none: only its idempotency
   * key resumes it, so that nothing is collected after the buyer has seen a failure.
   */
  #unheard(charge: ChargeRecord, now: number): Step {
    const { book } = this.ctx
    const parked = charge.state === 'written' && !charge.heard && charge.job.kind === 'purchase'
    book.transaction(() => {
      putCharge(book, { ...charge, parked, asked_at: now })
    })
    return 'wait'
  }

  #decline(charge: ChargeRecord, declined: DeclinedAnswer, now: number): void {
    const { book } = this.ctx
    putCharge(book, { ...charge, state: 'declined', parked: false, stuck: false, asked_at: now, declined })
    if (charge.job.kind === 'purchase') this.#answer(charge, declined, now)
    else if (charge.job.asked) this.#answer(charge, declined, now)
    else if (!book.isEnded()) declineRenewal(this.ctx, charge.job, this.#why(charge, declined), now)
  }

  #book(charge: ChargeRecord, now: number): void {
    const { currency } = this.ctx.book
    if (charge.currency !== currency) throw new Error(`It is in ${charge.currency}, and the ledger in ${currency}.`)
    putCharge(this.ctx.book, { ...charge, state: 'booked', stuck: false, asked_at: now })
    const { job } = charge
    if (job.kind === 'purchase') this.#answer(charge, { state: 'done', order: this.#order(charge, job, now) }, now)
    else {
      bookRenewal(this.ctx, job, charge, now)
      const { subscription_id } = job
      if (job.asked) this.#answer(charge, { state: 'done', subscription_id, paid: charge.cents }, now)
    }
  }

  #why({ method_id }: ChargeRecord, { code }: DeclinedAnswer): RenewalFailure {
    return { code: String(code), method: this.ctx.book.get('method', method_id) }
  }

  #order({ charge_id, intent, method_id }: ChargeRecord, { sealed, cameras, own }: PurchaseJob, now: number): Order {
    const method = this.ctx.book.get('method', method_id)
    return bookPurchase(this.ctx, { intent, order_id: charge_id, sealed, cameras, own, method }, now)
  }

  #answer({ intent }: ChargeRecord, answer: unknown, now: number): void {
    const stored = this.ctx.book.get('intent', intent)
    if (stored) storeIdempotentResult(this.ctx.book, intent, { hash: stored.hash, answer }, now)
  }
}

function toDeclinedAnswer({ code, errors }: Extract<AuthorizationResult, { state: 'declined' }>): DeclinedAnswer {
  const declineCode = /^[1-9]\d*$/.test(code) ? Number(code) : code
  return ledgerError(declineCode, 402, undefined, { errors }) as DeclinedAnswer
}

/**
 * Returns true for a `GatewayDown` error. Also compares the name, because an error from another Durable Object keeps
 * only its name.
 */
const isDown = (error: unknown): boolean =>
  error instanceof GatewayDown || (error instanceof Error && error.name === 'GatewayDown')
