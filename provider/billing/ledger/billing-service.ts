import type { Order, Quote } from '../../../contract/billing/purchase.ts'
import { findCatalogEntry } from '../../../contract/wire/error-codes.ts'
import type { PurchaseAnswer, PurchaseRequest, LedgerError, TaskAnswer, OrderRequest } from './ledger-calls.ts'
import { abandonCharge, openCharges, resumeParkedCharge } from './pending-charges.ts'
import { ChargeProcessor } from './charge-processor.ts'
import type { LedgerContext } from './ledger-context.ts'
import { logFailure } from './failure.ts'
import { giveNotices } from './give-notice.ts'
import { closeBook } from './account-closing.ts'
import { leaveAll } from './cancel-subscription.ts'
import { dropMethods } from './payment-methods.ts'
import { startOpenInvoicePayment, orderOfOpen, type PaidOpen, type PayOpenAsk } from './pay-open-invoice.ts'
import { startPurchase, quoteFor } from './begin-purchase.ts'
import type { ChargeRecord } from './record-schemas.ts'
import { gatewayDown, isRefused, ledgerError } from './errors.ts'
import { nextToRenew, renew } from './renewals.ts'
import { openAnyQuote, sealQuote } from './sealed-quotes.ts'
import { HOUR_MS } from '../../../contract/time-units.ts'

export type PayOpenAnswer = PaidOpen | { readonly state: 'pending'; readonly process_id: string } | LedgerError

export interface BillingServiceOptions {
  readonly ticketKey: string
  /** Resolves after the maximum time that a buyer may wait for a response. */
  patience(): Promise<void>
}

/** Delay before a failed renewal step of a subscription is retried. */
const LATER_MS = HOUR_MS

const STEPS = { written: 'asked', authorised: 'authorised', captured: 'charged' } as const

/**
 * Purchases, their tasks and all scheduled work of a ledger: the logic of the `Ledger` object, independent of the
 * runtime.
 */
export class BillingService {
  private readonly ctx: LedgerContext
  private readonly options: BillingServiceOptions
  private readonly charging: ChargeProcessor

  constructor(ctx: LedgerContext, options: BillingServiceOptions) {
    this.ctx = ctx
    this.options = options
    this.charging = new ChargeProcessor(ctx)
  }

  async preview(request: OrderRequest, now: number): Promise<Quote | LedgerError> {
    await this.due(now)
    const sealed = quoteFor(this.ctx, request, now)
    return isRefused(sealed) ? sealed : await sealQuote(this.options.ticketKey, sealed)
  }

  async purchase(ask: PurchaseRequest, now: number): Promise<PurchaseAnswer> {
    await this.due(now)
    const { ticketKey } = this.options
    const sealed = await openAnyQuote(ticketKey, ask.quote)
    if (sealed && sealed.user !== this.ctx.book.account) return ledgerError(403, 403)
    const start = this.ctx.book.transaction(() => startPurchase(this.ctx, ask, sealed, now))
    if (start.state === 'requote')
      return ledgerError(
        'quote',
        409,
        'The price has changed. Please confirm it.',
        await sealQuote(ticketKey, start.sealed),
      )
    if (start.state !== 'charge') return start
    await this.#drive(start.charge_id, now)
    return this.#became(start.charge_id, ask.intent)
  }

  async payOpen(ask: PayOpenAsk, now: number): Promise<PayOpenAnswer> {
    await this.due(now)
    const { book } = this.ctx
    const start = book.transaction(() => startOpenInvoicePayment(this.ctx, ask, now))
    if (start.state !== 'charge') return start
    await this.#drive(start.charge_id, now)
    const stored = book.get('intent', ask.intent)
    return (stored?.answer as PayOpenAnswer | null | undefined) ?? { state: 'pending', process_id: start.charge_id }
  }

  /**
   * Returns the stored result of a purchase, `pending` while its charge is in progress, or an error while its charge is
   * parked.
   */
  #became(chargeId: string, intent: string): PurchaseAnswer {
    const { book } = this.ctx
    const charge = book.get('charge', chargeId)
    const stored = book.get('intent', intent)
    if (charge?.parked) return gatewayDown()
    return (stored?.answer as PurchaseAnswer | null | undefined) ?? { state: 'pending', process_id: chargeId }
  }

  /** Advances the charge once more and returns the state of the purchase. */
  async task(processId: string, now: number): Promise<TaskAnswer> {
    const { book } = this.ctx
    book.transaction(() => {
      resumeParkedCharge(book, processId, now)
    })
    if (book.get('charge', processId)?.parked === false) await this.#drive(processId, now)
    const order = book.get('order', processId)
    const charge = book.get('charge', processId)
    if (order) return { state: 'done', order: withoutIntent(order) }
    if (charge === null || (charge.job.kind === 'renewal' && !charge.job.asked)) return ledgerError(404, 404)
    const paid = orderOfOpen(this.ctx, charge)
    return paid ? { state: 'done', order: paid } : toTaskAnswer(charge)
  }

  /**
   * Processes everything that is due at `now`, earliest first: pending charges, then renewals and ended subscriptions.
   * A step that depends on an unanswered charge waits for that charge.
   */
  async due(now: number): Promise<void> {
    const { book } = this.ctx
    for (const { record } of book.due('charge', now)) {
      if (record.parked) book.transaction(() => abandonCharge(book, record, now))
      else await this.#drive(record.charge_id, now)
    }
    for (;;) {
      const charge = this.#renewNext(now)
      if (charge === null) break
      if (charge !== '') await this.#drive(charge, now)
    }
    book.transaction(() => {
      giveNotices(this.ctx, now)
      for (const name of forgotten(this.ctx, now)) book.drop(0, 'intent', name)
    })
  }

  /** Closes the ledger of a deleted account: plans end with their refunds, and nothing more is collected. */
  async end(now: number): Promise<void> {
    const { book } = this.ctx
    book.transaction(() => {
      leaveAll(this.ctx, now)
      closeBook(this.ctx, now)
      book.next('ended')
      dropMethods(book, now)
    })
    for (const { charge_id } of openCharges(book)) await this.#drive(charge_id, now)
    // A charge that was pending is booked only now, so its plan is canceled and refunded in this second run.
    book.transaction(() => {
      leaveAll(this.ctx, now)
      closeBook(this.ctx, now)
    })
    await this.due(now)
  }

  /** Advances a charge. Returns at the latest after the maximum time that a buyer may wait. */
  async #drive(chargeId: string, now: number): Promise<void> {
    await Promise.race([this.charging.drive(chargeId, now), this.options.patience()])
  }

  /**
   * Starts the next due renewal. Returns the id of its charge; '' if it needs no charge; null if nothing is due. A
   * failure does not block other subscriptions.
   */
  #renewNext(now: number): string | null {
    const { book } = this.ctx
    const subscription = nextToRenew(this.ctx, now)
    if (subscription === null) return null
    const { subscription_id: id } = subscription
    try {
      return book.transaction(() => renew(this.ctx, subscription, now)) ?? ''
    } catch (error) {
      logFailure(`subscription ${id}`, error)
      book.transaction(() => {
        book.postpone('subscription', id, now + LATER_MS)
      })
      return ''
    }
  }
}

const withoutIntent = ({ intent: _, ...order }: Order & { intent: string }): Order => order

function toTaskAnswer({ state, declined, begun_at, action_url }: ChargeRecord): TaskAnswer {
  if (state === 'declined' || state === 'booked') {
    const code = String(declined?.code ?? 503)
    return { state: 'failed', code, msg: findCatalogEntry(code)?.text ?? 'Nothing was charged.' }
  }
  const isAsked = state === 'written' && typeof action_url === 'string'
  return { state: 'pending', begun_at, step: STEPS[state], ...(isAsked && { action_url }) }
}

/** Returns idempotency keys that are older than 30 days. */
function forgotten({ book }: LedgerContext, now: number): string[] {
  return book.sql
    .exec<{ id: string }>("SELECT id FROM records WHERE due <= ? AND kind = 'intent'", now)
    .toArray()
    .map(({ id }) => id)
}
