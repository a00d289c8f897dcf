import { DurableObject } from 'cloudflare:workers'
import { randomBytes } from 'node:crypto'
import type { DurableObjectState } from '@cloudflare/workers-types'
import type { CancelReason, CancellationTiming } from '../../../contract/billing/cancellation.ts'
import { DEFAULT_TAX_BASIS_POINTS } from '../../../contract/billing/money.ts'
import { migrateSchema } from '../../platform/migrate-schema.ts'
import type { Env } from '../../env.ts'
import { selectGateway } from '../payment/select-gateway.ts'
import type { GatewayMethod } from '../payment/gateway-interface.ts'
import type { CouponUse, LedgerCalls, Opening, PurchaseRequest, LedgerError, OrderRequest } from './ledger-calls.ts'
import { buildAudit } from './reconciliation-snapshot.ts'
import { LedgerStore } from './ledger-store.ts'
import type { LedgerContext } from './ledger-context.ts'
import { previewCoupon, redeemCouponOption } from './redemption.ts'
import { checkRefund } from './failed-refunds.ts'
import { erasePersonalData } from './erase-personal-data.ts'
import { runIdempotent } from './idempotency-keys.ts'
import { bills } from './invoices.ts'
import { extendFreeTrial, findTrialExtension } from './trial-extension.ts'
import { type Closing, previewClosing } from './account-closing.ts'
import * as cancellation from './cancel-subscription.ts'
import * as moves from './license-transfers.ts'
import { bindTo } from './licenses.ts'
import { catchUp, advanceTestClock, standBack } from './test-clock.ts'
import { pause, resumeSubscription } from './pause-subscription.ts'
import type { PayOpenAsk } from './pay-open-invoice.ts'
import * as paymentMethods from './payment-methods.ts'
import { addOpenings } from './legacy-import.ts'
import { toOutbox } from './outbox.ts'
import { ownBook } from './statement.ts'
import { OutboxDispatcher } from './outbox-dispatcher.ts'
import { isRefused } from './errors.ts'
import { createOutboxConsumers } from './outbox-consumers.ts'
import { rowsBefore } from './rows-before.ts'
import { LEDGER_SCHEMA } from './ledger-schema.ts'
import { getEligibilityState } from './eligibility-state.ts'
import { BillingService } from './billing-service.ts'

/** Maximum time a purchase request blocks before the client must poll its task. */
const patience = () => new Promise<void>((resolve) => setTimeout(resolve, 4000))

interface Parts {
  readonly ctx: LedgerContext
  readonly till: BillingService
  readonly post: OutboxDispatcher
}

/** Ledger of one account, named by the user id. Only this object changes the account's money (docs/decisions/0053). */
export class Ledger extends DurableObject<Env> implements LedgerCalls {
  #parts: Parts | null = null

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    ctx.storage.transactionSync(() => migrateSchema(ctx.storage.sql, LEDGER_SCHEMA))
  }

  async preview(request: OrderRequest, now: number) {
    return await this.#with(now, ({ till }, at) => till.preview(request, at))
  }
  async purchase(ask: PurchaseRequest, now: number) {
    return await this.#with(now, ({ till }, at) => till.purchase(ask, at))
  }
  async task(processId: string, now: number) {
    return await this.#with(now, ({ till }, at) => till.task(processId, at))
  }
  /** Returns true if a request with this key has started or finished: its single-use inputs are consumed. */
  async knows(intent: string, now: number) {
    return await this.#with(now, ({ ctx }) => ctx.book.get('intent', intent) !== null)
  }

  async methods(now: number) {
    return await this.#with(now, ({ ctx }, at) => paymentMethods.getPaymentMethods(ctx, at))
  }
  async addMethod(session: string, method: GatewayMethod, now: number) {
    return await this.#write(now, (ctx, at) =>
      ctx.book.isEnded()
        ? paymentMethods.rejectPaymentMethod(ctx.book, method.token)
        : paymentMethods.addMethod(ctx, session, method, at),
    )
  }
  async chooseMethod(intent: string, methodId: string, now: number) {
    return await this.#write(now, ({ book }, at) => {
      const request = { intent, body: ['choose', methodId] }
      return runIdempotent(book, request, at, () => paymentMethods.setDefaultPaymentMethod(book, methodId, at))
    })
  }
  async removeMethod(intent: string, methodId: string, now: number) {
    return await this.#write(now, ({ book }, at) => {
      const request = { intent, body: ['remove', methodId] }
      return runIdempotent(book, request, at, () => paymentMethods.removePaymentMethod(book, methodId, at))
    })
  }
  async state(now: number) {
    return await this.#afterDue(now, ({ book }, at) => getEligibilityState(book, at))
  }
  async invoices(now: number) {
    return await this.#with(now, ({ ctx }) => bills(ctx.book))
  }
  /** Returns the entries that moved money after entry number `after` (statement.ts). */
  async ownBook(after: number, now: number) {
    return await this.#with(now, ({ ctx }) => ownBook(ctx.book, after))
  }
  async previewCoupon(use: CouponUse, now: number) {
    return await this.#with(now, ({ ctx }, at) => previewCoupon(ctx, use, at))
  }
  async useCoupon(intent: string, use: CouponUse, now: number) {
    return await this.#afterDue(now, (ctx, at) =>
      ctx.book.transaction(() =>
        runIdempotent(ctx.book, { intent, body: use }, at, () => redeemCouponOption(ctx, intent, use, at)),
      ),
    )
  }

  async bind(subscriptionId: string, devices: readonly string[], mine: readonly string[], now: number) {
    return await this.#write(now, ({ book }, at) => bindTo(book, subscriptionId, devices, mine, at))
  }
  async unbind(ask: Parameters<typeof moves.unbindFrom>[1], now: number) {
    return await this.#write(now, ({ book }, at) => moves.unbindFrom(book, ask, at))
  }
  async transferLicense(ask: Parameters<typeof moves.moveLicenseAssignment>[1], now: number) {
    return await this.#write(now, ({ book }, at) => moves.moveLicenseAssignment(book, ask, at))
  }
  async autoCover(now: number) {
    return await this.#with(now, ({ ctx }) => moves.isAutoCovered(ctx.book))
  }
  async setAutoCover(ask: { intent: string; on: boolean }, now: number) {
    return await this.#write(now, ({ book }, at) => moves.storeAutoCover(book, ask, at))
  }
  async coverNew(deviceId: string, mine: readonly string[], now: number) {
    return await this.#write(now, ({ book }, at) => moves.coverNew(book, deviceId, mine, at))
  }
  async releaseLicense(deviceId: string, now: number) {
    await this.#write(now, ({ book }, at) => moves.releaseLedgerLicense(book, deviceId, at))
  }
  async open(openings: readonly Opening[], now: number) {
    await this.#write(now, (ctx, at) => {
      addOpenings(ctx, openings, [], at)
    })
  }

  /** Returns the cancellation options of a plan, each to the cent, and the number of invoices. */
  async leaving(subscriptionId: string, now: number) {
    return await this.#afterDue(now, (ctx, at) => {
      const ways = cancellation.cancellationOptions(ctx, subscriptionId, at)
      const revision = ctx.book.get('subscription', subscriptionId)?.revision ?? 0
      return isRefused(ways) ? ways : { ways, revision, bills: ctx.book.ids('invoice').length }
    })
  }
  async leave(
    ask: cancellation.SubscriptionVersion & { intent: string; way: CancellationTiming; reason: CancelReason | null },
    now: number,
  ) {
    return await this.#once('leave', ask, now, (ctx, at) => cancellation.applyCancellation(ctx, ask, ask, at))
  }
  async closing(now: number): Promise<Closing> {
    return await this.#afterDue(now, previewClosing)
  }
  async leaveAll(now: number): Promise<void> {
    await this.#afterDue(now, (ctx, at) => ctx.book.transaction(() => cancellation.leaveAll(ctx, at)))
  }
  async stay(ask: cancellation.SubscriptionVersion & { intent: string }, now: number) {
    return await this.#once('stay', ask, now, (ctx, at) => cancellation.undoCancellation(ctx, ask, at))
  }
  async pause(ask: cancellation.SubscriptionVersion & { intent: string; months: number }, now: number) {
    return await this.#once('pause', ask, now, ({ book }, at) => pause(book, ask, ask.months, at))
  }
  async resume(ask: cancellation.SubscriptionVersion & { intent: string }, now: number) {
    return await this.#once('resume', ask, now, ({ book }, at) => resumeSubscription(book, ask, at))
  }
  async payOpen(ask: PayOpenAsk, now: number) {
    return await this.#with(now, ({ till }, at) => till.payOpen(ask, at))
  }
  async extension(now: number) {
    return await this.#afterDue(now, ({ book }, at) => findTrialExtension(book, at))
  }
  async extend(ask: { intent: string; subscription_id: string }, now: number) {
    return await this.#once('extend', ask, now, ({ book }, at) => extendFreeTrial(book, ask.subscription_id, at))
  }

  /** Moves the test clock ahead by `by` ms, from due time to due time. Returns how far the clock is ahead, ms. */
  async moveClock(by: number, now: number): Promise<number> {
    return await this.#with(now, async ({ ctx, till }) => {
      await advanceTestClock(ctx, till, { by, now })
      return ctx.book.count('clock')
    })
  }
  /** Starts the history of an empty ledger `by` ms before now, without notifications. False if it is not empty. */
  async standBack(by: number, now: number): Promise<boolean> {
    return await this.#write(now, ({ book }) => standBack(book, by))
  }
  async catchUp(now: number): Promise<void> {
    await this.#with(now, ({ ctx, till }) => catchUp(ctx, till, now))
  }

  /** Does everything that is due by `now` and delivers the outbox. */
  async due(now: number): Promise<void> {
    await this.#with(now, ({ till }, at) => till.due(at))
  }
  async end(now: number): Promise<void> {
    await this.#with(now, ({ till }, at) => till.end(at))
  }
  /** Deletes personal data; invoices and entries stay (provider/accounts/deletion). */
  async erasePersonalData(now: number): Promise<void> {
    await this.#write(now, ({ book }) => erasePersonalData(book))
  }
  async checkRefund(refundId: string, now: number): Promise<void> {
    await this.#with(now, ({ ctx }, at) => checkRefund(ctx, refundId, at))
  }
  async audit(now: number) {
    return await this.#with(now, ({ ctx }) => buildAudit(ctx))
  }
  async rebuild(now: number): Promise<void> {
    await this.#write(now, ({ book }) => {
      for (const id of book.ids('subscription')) toOutbox(book, { kind: 'subscription', id })
    })
  }

  async alarm(): Promise<void> {
    await this.due(Date.now())
  }

  /** Runs one transaction and then delivers its outbox messages. */
  #write<T>(now: number, work: (ctx: LedgerContext, at: number) => T): Promise<T> {
    return this.#with(now, ({ ctx }, at) => ctx.book.transaction(() => work(ctx, at)))
  }

  /** Same for changes of a plan: does what is due first, and runs once per idempotency key. */
  #once<T>(
    operation: string,
    { intent, ...input }: { readonly intent: string },
    now: number,
    work: (ctx: LedgerContext, at: number) => T | LedgerError,
  ): Promise<T | LedgerError> {
    return this.#afterDue(now, (ctx, at) =>
      ctx.book.transaction(() =>
        runIdempotent(ctx.book, { intent, body: [operation, input] }, at, () => work(ctx, at)),
      ),
    )
  }

  #afterDue<T>(now: number, work: (ctx: LedgerContext, at: number) => T): Promise<T> {
    return this.#with(now, async ({ ctx, till }, at) => {
      await till.due(at)
      return work(ctx, at)
    })
  }

  /** Runs `work` on the open ledger, then delivers the outbox. `at`: the time `now` on the ledger's test clock. */
  async #with<T>(now: number, work: (parts: Parts, at: number) => T | Promise<T>): Promise<T> {
    const parts = (this.#parts ??= this.#open())
    const { ctx, post } = parts
    if (ctx.book.count('opened') === 0) await this.#takeOver(ctx, now)
    try {
      return await work(parts, now + ctx.book.count('clock'))
    } finally {
      // The alarm is also set before the delivery, so that it resumes a delivery that is interrupted.
      if (post.hasNews()) await post.wake()
      await post.send()
      await post.wake()
    }
  }

  /** Imports the rows from before the ledger existed. Only here does the ledger read what it writes. */
  async #takeOver(ctx: LedgerContext, now: number): Promise<void> {
    const { openings, licences: licenses } = await rowsBefore(this.env, ctx.book.account)
    ctx.book.transaction(() => {
      if (ctx.book.count('opened') > 0) return
      addOpenings(ctx, openings, licenses, now)
      ctx.book.next('opened')
    })
  }

  #open(): Parts {
    const { storage } = this.ctx
    const account = this.#account()
    const book = new LedgerStore({ sql: storage.sql, transaction: (work) => storage.transactionSync(work) }, account)
    const ctx: LedgerContext = {
      book,
      gateway: selectGateway(this.env),
      taxBasisPoints: Number(this.env.TAX_BASIS_POINTS ?? DEFAULT_TAX_BASIS_POINTS),
      wake: () => post.wake(),
      newId: (kind) => `${kind}_${randomBytes(12).toString('hex')}`,
    }
    const till = new BillingService(ctx, { ticketKey: this.env.TICKET_KEY, patience })
    const post = new OutboxDispatcher(ctx, createOutboxConsumers(this.env, account), storage)
    return { ctx, till, post }
  }

  /** Returns the user id. It is also stored, because during an alarm the object's name may be unknown. */
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
