import {
  AuthorizationExpiredError,
  GatewayDownError,
  type AuthorizationResult,
  type PaymentGateway,
} from '../payment/gateway-interface.ts'
import type { Order } from '../../../contract/billing/purchase.ts'
import { recordPurchase } from './record-purchase.ts'
import { abandonCharge, isRequestedByAccount, putCharge } from './pending-charges.ts'
import type { LedgerContext } from './ledger-context.ts'
import { logFailure } from './failure.ts'
import { storeIdempotentResult } from './idempotency-keys.ts'
import type { ChargeRecord, StoredDecline, PurchaseJob } from './record-schemas.ts'
import { createAccountDeletedError, createLedgerError } from './errors.ts'
import { isPaymentTooLate } from './subscription-rules.ts'
import { recordRenewal, recordDeclinedRenewal, type RenewalFailure } from './renewals.ts'

/** Maximum number of immediate attempts of a request to the payment gateway that gets no response. */
const ATTEMPTS_MAX = 2

/**
 * Result of one step of a charge. `on`: continue with the next step. `wait`: stop until the next alarm or request.
 * `over`: the charge needs no more steps.
 */
type StepResult = 'on' | 'wait' | 'over'

type ChargeResult =
  | { readonly state: 'pending' }
  | { readonly state: 'action'; readonly url: string }
  | { readonly state: 'authorised' }
  | { readonly state: 'captured'; readonly charge: string }
  | StoredDecline
  | null

/**
 * Takes a charge through its states. Each change is one transaction; after a crash, the charge resumes from its record.
 * For a deleted account, books collected charges and declines all others.
 */
export class ChargeProcessor {
  readonly #ctx: LedgerContext
  /** Running `advance` calls by charge id. Each charge has at most one. */
  readonly #running = new Map<string, Promise<void>>()

  constructor(ctx: LedgerContext) {
    this.#ctx = ctx
  }

  /**
   * Runs the steps of a charge until it must wait or is finished. Then sets the alarm, which resumes waiting charges
   * and delivers the outbox.
   */
  advance(chargeId: string, now: number): Promise<void> {
    const running =
      this.#running.get(chargeId) ?? this.#runSteps(chargeId, now).finally(() => this.#running.delete(chargeId))
    this.#running.set(chargeId, running)
    return running
  }

  async #runSteps(chargeId: string, now: number): Promise<void> {
    for (;;) {
      const charge = this.#ctx.book.get('charge', chargeId)
      if (charge === null || (await this.#runStep(charge, now)) !== 'on') break
    }
    await this.#ctx.scheduleAlarm()
  }

  async #runStep(charge: ChargeRecord, now: number): Promise<StepResult> {
    const { book } = this.#ctx
    const updateCharge = (change: Partial<ChargeRecord>) =>
      book.transaction(() => {
        putCharge(book, { ...charge, heard: true, parked: false, stuck: false, asked_at: now, ...change })
      })
    if (charge.state === 'captured')
      return this.#recordOutcome(charge, now, () => {
        this.#bookCharge(charge, now)
      })
    if (charge.state !== 'written' && charge.state !== 'authorised') return 'over'
    if (charge.state === 'written' && this.#isRenewalTooLate(charge, now)) {
      book.transaction(() => abandonCharge(book, charge, now))
      return 'over'
    }
    await this.#ctx.scheduleAlarm()
    const gatewayResult = book.isEnded() ? await this.#findLostCapture(charge) : await this.#requestGateway(charge, now)
    if (gatewayResult === null) return this.#handleNoResponse(charge, now)
    if (gatewayResult.state === 'refused')
      return this.#recordOutcome(charge, now, () => {
        this.#decline(charge, gatewayResult, now)
      })
    if (gatewayResult.state === 'pending' || gatewayResult.state === 'action') {
      updateCharge({ action_url: gatewayResult.state === 'action' ? gatewayResult.url : null })
      return 'wait'
    }
    updateCharge(gatewayResult)
    return 'on'
  }

  /**
   * Returns true if the charge is a renewal that is too late to collect (`isPaymentTooLate`). Always false for a
   * deleted account.
   */
  #isRenewalTooLate({ job }: ChargeRecord, now: number): boolean {
    const subscription = job.kind === 'renewal' ? this.#ctx.book.get('subscription', job.subscription_id) : null
    return subscription !== null && !this.#ctx.book.isEnded() && isPaymentTooLate(subscription, now)
  }

  /**
   * Books the result of a charge. If the write fails, marks the charge as stuck. The alarm then retries the write, and
   * `npm run reconcile` reports the charge.
   */
  #recordOutcome(charge: ChargeRecord, now: number, work: () => void): StepResult {
    const { book } = this.#ctx
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

  async #requestGateway(
    { charge_id: key, state, cents, currency, token, job, begun_at: begunAt }: ChargeRecord,
    now: number,
  ): Promise<ChargeResult> {
    const { account } = this.#ctx.book
    return await this.#tryGateway(async (gateway) => {
      if (state !== 'written') return { state: 'captured', ...(await gateway.capture(account, key, now)) }
      const isPresent = job.kind !== 'renewal' || job.asked
      const authorizationRequest = { key, account, token, cents, currency, isPresent, begunAt }
      const authorization = await gateway.authorize(authorizationRequest, now)
      if (authorization.state === 'declined') return toStoredDecline(authorization)
      return authorization.state === 'authorised' ? { state: 'authorised' } : authorization
    })
  }

  /**
   * Called only for a deleted account. Returns the capture of a charge whose response was lost, or a decline if there
   * is no capture; null if the payment gateway does not respond. Never collects money.
   */
  async #findLostCapture({ charge_id, state }: ChargeRecord): Promise<ChargeResult> {
    if (state === 'written') return createAccountDeletedError() as StoredDecline
    return await this.#tryGateway(async (gateway) => {
      const found = (await gateway.charges(this.#ctx.book.account)).find(({ key }) => key === charge_id)
      return found ? { state: 'captured', charge: found.charge } : (createAccountDeletedError() as StoredDecline)
    })
  }

  async #tryGateway(request: (gateway: PaymentGateway) => Promise<ChargeResult>): Promise<ChargeResult> {
    const { gateway } = this.#ctx
    for (let attempt = 1; gateway && attempt <= ATTEMPTS_MAX; attempt += 1) {
      try {
        return await request(gateway)
      } catch (error) {
        if (error instanceof AuthorizationExpiredError)
          return toStoredDecline({ state: 'declined', code: '4225', errors: [] })
        if (!isGatewayDown(error)) throw error
      }
    }
    return null
  }

  /**
   * Handles a missing response of the payment gateway. Parks a purchase to which the payment gateway has never
   * responded. The alarm does not resume a parked purchase, so that a buyer who saw a failure is not charged later.
   */
  #handleNoResponse(charge: ChargeRecord, now: number): StepResult {
    const { book } = this.#ctx
    const parked = charge.state === 'written' && !charge.heard && charge.job.kind === 'purchase'
    book.transaction(() => {
      putCharge(book, { ...charge, parked, asked_at: now })
    })
    return 'wait'
  }

  #decline(charge: ChargeRecord, declined: StoredDecline, now: number): void {
    const { book } = this.#ctx
    putCharge(book, { ...charge, state: 'declined', parked: false, stuck: false, asked_at: now, declined })
    const { job } = charge
    if (isRequestedByAccount(job)) this.#storeResult(charge, declined, now)
    else if (job.kind === 'renewal' && !book.isEnded())
      recordDeclinedRenewal(this.#ctx, job, this.#toRenewalFailure(charge, declined), now)
  }

  #bookCharge(charge: ChargeRecord, now: number): void {
    const { currency } = this.#ctx.book
    if (charge.currency !== currency)
      throw new Error(`The charge is in ${charge.currency}, but the ledger is in ${currency}.`)
    putCharge(this.#ctx.book, { ...charge, state: 'booked', stuck: false, asked_at: now })
    const { job } = charge
    if (job.kind === 'purchase')
      this.#storeResult(charge, { state: 'done', order: this.#bookOrder(charge, job, now) }, now)
    else if (job.kind === 'renewal') {
      recordRenewal(this.#ctx, job, charge, now)
      const { subscription_id } = job
      if (job.asked) this.#storeResult(charge, { state: 'done', subscription_id, paid: charge.cents }, now)
    }
  }

  #toRenewalFailure({ method_id }: ChargeRecord, { code }: StoredDecline): RenewalFailure {
    return { code: String(code), method: this.#ctx.book.get('method', method_id) }
  }

  #bookOrder(
    { charge_id, intent, method_id }: ChargeRecord,
    { sealed, cameras, own }: PurchaseJob,
    now: number,
  ): Order {
    const method = this.#ctx.book.get('method', method_id)
    return recordPurchase(this.#ctx, { intent, order_id: charge_id, sealed, cameras, own, method }, now)
  }

  #storeResult({ intent }: ChargeRecord, result: unknown, now: number): void {
    const stored = this.#ctx.book.get('intent', intent)
    if (stored) storeIdempotentResult(this.#ctx.book, intent, { hash: stored.hash, answer: result }, now)
  }
}

function toStoredDecline({ code, errors }: Extract<AuthorizationResult, { state: 'declined' }>): StoredDecline {
  const declineCode = /^[1-9]\d*$/.test(code) ? Number(code) : code
  return createLedgerError(declineCode, 402, undefined, { errors }) as StoredDecline
}

/**
 * Returns true for a `GatewayDownError`. Also compares the name, because errors from another Durable Object lose their
 * class.
 */
const isGatewayDown = (error: unknown): boolean =>
  error instanceof GatewayDownError || (error instanceof Error && error.name === 'GatewayDown')
