import type { Order, Quote } from '../../../contract/billing/purchase.ts'
import { catalogueEntry } from '../../../contract/wire/error-codes.ts'
import type { PurchaseAnswer, PurchaseAsk, Refused, TaskAnswer, Wanted } from './ledger-calls.ts'
import { dropCharge, openCharges, takeUp } from './pending-charges.ts'
import { Charging } from './charge-processor.ts'
import type { LedgerContext } from './ledger-context.ts'
import { sayFailure } from './failure.ts'
import { giveNotices } from './give-notice.ts'
import { closeBook } from './account-closing.ts'
import { leaveAll } from './cancellation.ts'
import { dropMethods } from './payment-methods.ts'
import { beginPayOpen, orderOfOpen, type PaidOpen, type PayOpenAsk } from './pay-open-invoice.ts'
import { beginPurchase, quoteFor } from './begin-purchase.ts'
import type { ChargeRecord } from './record-schemas.ts'
import { gatewayDown, isRefused, refuse } from './errors.ts'
import { nextToRenew, renew } from './renewals.ts'
import { openAnyQuote, sealQuote } from './sealed-quotes.ts'

/** What became of paying what was open. */
export type PayOpenAnswer = PaidOpen | { readonly state: 'pending'; readonly process_id: string } | Refused

export interface Options {
  readonly ticketKey: string
  /** Waits as long as somebody who buys may be kept waiting. */
  patience(): Promise<void>
}

/** What could not be done of a subscription is tried again so much later. */
const LATER_MS = 3_600_000

const STEPS = { written: 'asked', authorised: 'authorised', captured: 'charged' } as const

/** Buying, following, and what comes with time, over a book: what `Ledger` is without the runtime. */
export class Till {
  private readonly ctx: LedgerContext
  private readonly options: Options
  private readonly charging: Charging

  constructor(ctx: LedgerContext, options: Options) {
    this.ctx = ctx
    this.options = options
    this.charging = new Charging(ctx)
  }

  async preview(wanted: Wanted, now: number): Promise<Quote | Refused> {
    await this.due(now)
    const sealed = quoteFor(this.ctx, wanted, now)
    return isRefused(sealed) ? sealed : await sealQuote(this.options.ticketKey, sealed)
  }

  async purchase(ask: PurchaseAsk, now: number): Promise<PurchaseAnswer> {
    await this.due(now)
    const { ticketKey } = this.options
    const sealed = await openAnyQuote(ticketKey, ask.quote)
    if (sealed && sealed.user !== this.ctx.book.account) return refuse(403, 403)
    const begun = this.ctx.book.transaction(() => beginPurchase(this.ctx, ask, sealed, now))
    if (begun.state === 'requote')
      return refuse('quote', 409, 'The price has changed. Please confirm it.', await sealQuote(ticketKey, begun.sealed))
    if (begun.state !== 'charge') return begun
    await this.#drive(begun.charge_id, now)
    return this.#became(begun.charge_id, ask.intent)
  }

  /** Pays what a failed renewal has left open. */
  async payOpen(ask: PayOpenAsk, now: number): Promise<PayOpenAnswer> {
    await this.due(now)
    const { book } = this.ctx
    const begun = book.transaction(() => beginPayOpen(this.ctx, ask, now))
    if (begun.state !== 'charge') return begun
    await this.#drive(begun.charge_id, now)
    const known = book.get('intent', ask.intent)
    return (known?.answer as PayOpenAnswer | null | undefined) ?? { state: 'pending', process_id: begun.charge_id }
  }

  /** What became of a charge that somebody waits for. */
  #became(chargeId: string, intent: string): PurchaseAnswer {
    const { book } = this.ctx
    const charge = book.get('charge', chargeId)
    const known = book.get('intent', intent)
    if (charge?.parked) return gatewayDown()
    return (known?.answer as PurchaseAnswer | null | undefined) ?? { state: 'pending', process_id: chargeId }
  }

  /** Asks once more, and answers where the purchase is. */
  async task(processId: string, now: number): Promise<TaskAnswer> {
    const { book } = this.ctx
    book.transaction(() => {
      takeUp(book, processId, now)
    })
    if (book.get('charge', processId)?.parked === false) await this.#drive(processId, now)
    const order = book.get('order', processId)
    const charge = book.get('charge', processId)
    if (order) return { state: 'done', order: withoutIntent(order) }
    if (charge === null || (charge.job.kind === 'renewal' && !charge.job.asked)) return refuse(404, 404)
    const paid = orderOfOpen(this.ctx, charge)
    return paid ? { state: 'done', order: paid } : told(charge)
  }

  /**
   * Does everything that is due at `now`, the earliest first: charges under way, then renewals and ends. What is behind a
   * charge that nobody has answered yet waits for it.
   */
  async due(now: number): Promise<void> {
    const { book } = this.ctx
    for (const { record } of book.due('charge', now)) {
      if (record.parked) book.transaction(() => dropCharge(book, record, now))
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

  /** Closes the book of a deleted account: plans end with their refunds, and nothing is collected any more. */
  async end(now: number): Promise<void> {
    const { book } = this.ctx
    book.transaction(() => {
      leaveAll(this.ctx, now)
      closeBook(this.ctx, now)
      book.next('ended')
      dropMethods(book, now)
    })
    for (const { charge_id } of openCharges(book)) await this.#drive(charge_id, now)
    // A charge that was under way is booked, and refunded, only now.
    book.transaction(() => {
      leaveAll(this.ctx, now)
      closeBook(this.ctx, now)
    })
    await this.due(now)
  }

  /** Takes a charge on, as long as somebody may be kept waiting. */
  async #drive(chargeId: string, now: number): Promise<void> {
    await Promise.race([this.charging.drive(chargeId, now), this.options.patience()])
  }

  /** Null: nothing is due; '': no charge is to be taken on. What throws holds up nobody else. */
  #renewNext(now: number): string | null {
    const { book } = this.ctx
    const one = nextToRenew(this.ctx, now)
    if (one === null) return null
    const { subscription_id: id } = one
    try {
      return book.transaction(() => renew(this.ctx, one, now)) ?? ''
    } catch (error) {
      sayFailure(`subscription ${id}`, error)
      book.transaction(() => {
        book.postpone('subscription', id, now + LATER_MS)
      })
      return ''
    }
  }
}

const withoutIntent = ({ intent: _, ...order }: Order & { intent: string }): Order => order

function told({ state, declined, begun_at, action_url }: ChargeRecord): TaskAnswer {
  if (state === 'declined' || state === 'booked') {
    const code = String(declined?.code ?? 503)
    return { state: 'failed', code, msg: catalogueEntry(code)?.text ?? 'Nothing was charged.' }
  }
  const isAsked = state === 'written' && typeof action_url === 'string'
  return { state: 'pending', begun_at, step: STEPS[state], ...(isAsked && { action_url }) }
}

/** Keys of intents that are older than 30 days. */
function forgotten({ book }: LedgerContext, now: number): string[] {
  return book.sql
    .exec<{ id: string }>("SELECT id FROM records WHERE due <= ? AND kind = 'intent'", now)
    .toArray()
    .map(({ id }) => id)
}
