import type { Order, Quote } from '../../../contract/billing/purchase.ts'
import { findCatalogEntry } from '../../../contract/wire/error-codes.ts'
import type { PurchaseResult, PurchaseRequest, LedgerError, TaskResult, PreviewRequest } from './ledger-calls.ts'
import { abandonCharge, isRequestedByAccount, listOpenCharges, resumeParkedCharge } from './pending-charges.ts'
import { ChargeProcessor } from './charge-processor.ts'
import type { LedgerContext } from './ledger-context.ts'
import { logFailure } from './failure.ts'
import { queueDueReminders } from './queue-reminders.ts'
import { closeLedger } from './account-closing.ts'
import { cancelAllSubscriptions } from './cancel-subscription.ts'
import { deleteAllMethods } from './payment-methods.ts'
import {
  startOpenInvoicePayment,
  toPaidInvoiceOrder,
  type OpenInvoicePaymentResult,
  type OpenInvoicePaymentRequest,
} from './pay-open-invoice.ts'
import { completeOrder } from './order-terms.ts'
import { startPurchase, createQuote } from './start-purchase.ts'
import type { ChargeRecord } from './record-schemas.ts'
import { createGatewayDownError, createHeldError, isLedgerError, createLedgerError } from './errors.ts'
import { findNextDueSubscription, processDueSubscription } from './renewals.ts'
import { openAnyQuote, sealQuote } from './sealed-quotes.ts'
import { HOUR_MS } from '../../../contract/time-units.ts'

export type PayOpenResult =
  OpenInvoicePaymentResult | { readonly state: 'pending'; readonly process_id: string } | LedgerError

export interface BillingServiceOptions {
  readonly ticketKey: string
  waitMaxResponseTime(): Promise<void>
}

const RENEWAL_RETRY_MS = HOUR_MS

const STEP_BY_CHARGE_STATE = { written: 'asked', authorised: 'authorised', captured: 'charged' } as const

/**
 * Purchases, their tasks and all scheduled work of a ledger: the logic of the `Ledger` object, independent of the
 * runtime.
 */
export class BillingService {
  readonly #ctx: LedgerContext
  readonly #options: BillingServiceOptions
  readonly #chargeProcessor: ChargeProcessor

  constructor(ctx: LedgerContext, options: BillingServiceOptions) {
    this.#ctx = ctx
    this.#options = options
    this.#chargeProcessor = new ChargeProcessor(ctx)
  }

  async preview(request: PreviewRequest, now: number): Promise<Quote | LedgerError> {
    if (this.#ctx.book.isHeld()) return createHeldError()
    await this.processDue(now)
    const quoteContent = createQuote(this.#ctx, completeOrder(this.#ctx.book, request, now), now)
    return isLedgerError(quoteContent) ? quoteContent : await sealQuote(this.#options.ticketKey, quoteContent)
  }

  async purchase(request: PurchaseRequest, now: number): Promise<PurchaseResult> {
    if (this.#ctx.book.isHeld()) return createHeldError()
    await this.processDue(now)
    const { ticketKey } = this.#options
    const quoteContent = await openAnyQuote(ticketKey, request.quote)
    if (quoteContent && quoteContent.user !== this.#ctx.book.account) return createLedgerError(403, 403)
    const start = this.#ctx.book.transaction(() => startPurchase(this.#ctx, request, quoteContent, now))
    if (start.state === 'requote')
      return createLedgerError(
        'quote',
        409,
        'The price has changed. Confirm the new price to continue.',
        await sealQuote(ticketKey, start.sealed),
      )
    if (start.state !== 'charge') return start
    await this.#advanceCharge(start.charge_id, now)
    return this.#getPurchaseResult(start.charge_id, request.intent)
  }

  async payOpenInvoice(request: OpenInvoicePaymentRequest, now: number): Promise<PayOpenResult> {
    if (this.#ctx.book.isHeld()) return createHeldError()
    await this.processDue(now)
    const { book } = this.#ctx
    const start = book.transaction(() => startOpenInvoicePayment(this.#ctx, request, now))
    if (start.state !== 'charge') return start
    await this.#advanceCharge(start.charge_id, now)
    const stored = book.get('intent', request.intent)
    return (stored?.answer as PayOpenResult | null | undefined) ?? { state: 'pending', process_id: start.charge_id }
  }

  #getPurchaseResult(chargeId: string, intent: string): PurchaseResult {
    const { book } = this.#ctx
    const charge = book.get('charge', chargeId)
    const stored = book.get('intent', intent)
    if (charge?.parked) return createGatewayDownError()
    return (stored?.answer as PurchaseResult | null | undefined) ?? { state: 'pending', process_id: chargeId }
  }

  /**
   * Resumes the charge of a task and returns the state of the task. A task is a purchase, or a payment of an open
   * invoice that the account has started. Returns error 404 for other ids.
   */
  async advanceTask(processId: string, now: number): Promise<TaskResult> {
    const { book } = this.#ctx
    if (book.isHeld()) return createHeldError()
    book.transaction(() => {
      resumeParkedCharge(book, processId, now)
    })
    if (book.get('charge', processId)?.parked === false) await this.#advanceCharge(processId, now)
    const order = book.get('order', processId)
    const charge = book.get('charge', processId)
    if (order) return { state: 'done', order: omitIntent(order) }
    if (charge === null || !isRequestedByAccount(charge.job)) return createLedgerError(404, 404)
    const paid = toPaidInvoiceOrder(this.#ctx, charge)
    return paid ? { state: 'done', order: paid } : toTaskResult(charge)
  }

  /**
   * Continues a charge after an event of the payment gateway. Leaves a parked purchase unchanged, because its buyer has
   * seen the message that nothing was charged.
   */
  async handleGatewayEvent(chargeId: string, now: number): Promise<void> {
    if (this.#ctx.book.isHeld()) return
    if (this.#ctx.book.get('charge', chargeId)?.parked === false) await this.#advanceCharge(chargeId, now)
  }

  /**
   * Processes everything that is due at `now`: first charges, then subscriptions, both earliest first, then reminders
   * and expired idempotency keys. A subscription that a charge blocks waits for that charge. Does nothing during the
   * hold of a restored ledger.
   */
  async processDue(now: number): Promise<void> {
    if (!this.#ctx.book.isHeld()) await this.runDue(now)
  }

  /** Does the work of `processDue`, also during a hold (restore-hold.ts). */
  async runDue(now: number): Promise<void> {
    const { book } = this.#ctx
    for (const { record } of book.listDue('charge', now)) {
      if (record.parked) book.transaction(() => abandonCharge(book, record, now))
      else await this.#advanceCharge(record.charge_id, now)
    }
    for (;;) {
      const charge = this.#startNextRenewal(now)
      if (charge === null) break
      if (charge !== '') await this.#advanceCharge(charge, now)
    }
    book.transaction(() => {
      queueDueReminders(this.#ctx, now)
      for (const name of listExpiredIntents(this.#ctx, now)) book.deleteRecord(0, 'intent', name)
    })
  }

  /**
   * Closes the ledger of a deleted account: ends canceled plans with their promised refunds, closes the balance, and
   * deletes the payment methods. The ledger collects nothing afterwards.
   */
  async closeAccount(now: number): Promise<void> {
    const { book } = this.#ctx
    if (book.isHeld()) throw new Error('The ledger is on hold until npm run reconcile.')
    book.transaction(() => {
      cancelAllSubscriptions(this.#ctx, now)
      closeLedger(this.#ctx, now)
      book.incrementCounter('ended')
      deleteAllMethods(book, now)
    })
    for (const { charge_id } of listOpenCharges(book)) await this.#advanceCharge(charge_id, now)
    // Run both steps again. A charge that was pending in the first run is booked only now, and its plan must be
    // canceled and refunded.
    book.transaction(() => {
      cancelAllSubscriptions(this.#ctx, now)
      closeLedger(this.#ctx, now)
    })
    await this.processDue(now)
  }

  async #advanceCharge(chargeId: string, now: number): Promise<void> {
    await Promise.race([this.#chargeProcessor.advance(chargeId, now), this.#options.waitMaxResponseTime()])
  }

  /**
   * Processes the next due subscription. Returns the id of its charge; '' if there is no charge or the step failed;
   * null if nothing is due. Postpones a failed step, so that it does not block other subscriptions.
   */
  #startNextRenewal(now: number): string | null {
    const { book } = this.#ctx
    const subscription = findNextDueSubscription(this.#ctx, now)
    if (subscription === null) return null
    const { subscription_id: id } = subscription
    try {
      return book.transaction(() => processDueSubscription(this.#ctx, subscription, now)) ?? ''
    } catch (error) {
      logFailure(`subscription ${id}`, error)
      book.transaction(() => {
        book.postpone('subscription', id, now + RENEWAL_RETRY_MS)
      })
      return ''
    }
  }
}

const omitIntent = ({ intent: _, ...order }: Order & { intent: string }): Order => order

function toTaskResult({ state, declined, begun_at, action_url }: ChargeRecord): TaskResult {
  if (state === 'declined' || state === 'booked') {
    const code = String(declined?.code ?? 503)
    return { state: 'failed', code, msg: findCatalogEntry(code)?.text ?? 'You haven’t been charged.' }
  }
  const isAsked = state === 'written' && typeof action_url === 'string'
  return { state: 'pending', begun_at, step: STEP_BY_CHARGE_STATE[state], ...(isAsked && { action_url }) }
}

function listExpiredIntents({ book }: LedgerContext, now: number): string[] {
  return book.sql
    .exec<{ id: string }>("SELECT id FROM records WHERE due <= ? AND kind = 'intent'", now)
    .toArray()
    .map(({ id }) => id)
}
