import { DurableObject } from 'cloudflare:workers'
import type { DurableObjectState } from '@cloudflare/workers-types'
import type { CancelReason, CancellationTiming } from '../../../contract/billing/cancellation.ts'
import { migrateSchema } from '../../platform/migrate-schema.ts'
import type { Env } from '../../env.ts'
import type { GatewayMethod } from '../payment/gateway-interface.ts'
import type {
  CouponUse,
  LedgerCalls,
  ImportedSubscription,
  PurchaseRequest,
  LedgerError,
  OrderRequest,
} from './ledger-calls.ts'
import { buildReconciliationSnapshot } from './reconciliation-snapshot.ts'
import type { LedgerContext } from './ledger-context.ts'
import { importLegacyRows, openLedgerParts, type LedgerParts } from './ledger-parts.ts'
import { previewCoupon, redeemCouponOption } from './redemption.ts'
import { checkRefund } from './failed-refunds.ts'
import { erasePersonalData } from './erase-personal-data.ts'
import { runIdempotent } from './idempotency-keys.ts'
import { listInvoices } from './invoices.ts'
import { extendFreeTrial, findTrialExtension } from './trial-extension.ts'
import { type AccountClosing, previewClosing } from './account-closing.ts'
import * as cancellation from './cancel-subscription.ts'
import * as moves from './license-transfers.ts'
import { assignLicenses } from './licenses.ts'
import { catchUpTestClock, advanceTestClock, setClockBack } from './test-clock.ts'
import { pauseSubscription, resumeSubscription } from './pause-subscription.ts'
import type { OpenInvoicePaymentRequest } from './pay-open-invoice.ts'
import * as paymentMethods from './payment-methods.ts'
import { importSubscriptions } from './legacy-import.ts'
import { addToOutbox } from './outbox.ts'
import { readStatementPage } from './statement.ts'
import { isLedgerError } from './errors.ts'
import { LEDGER_SCHEMA } from './ledger-schema.ts'
import { getEligibilityState } from './eligibility-state.ts'

/** Ledger of one account, named by the user id. Only this object changes the account's money (docs/decisions/0053). */
export class Ledger extends DurableObject<Env> implements LedgerCalls {
  #parts: LedgerParts | null = null

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    ctx.storage.transactionSync(() => migrateSchema(ctx.storage.sql, LEDGER_SCHEMA))
  }

  async preview(request: OrderRequest, now: number) {
    return await this.#withLedger(now, ({ billing }, at) => billing.preview(request, at))
  }
  async purchase(ask: PurchaseRequest, now: number) {
    return await this.#withLedger(now, ({ billing }, at) => billing.purchase(ask, at))
  }
  async advanceTask(processId: string, now: number) {
    return await this.#withLedger(now, ({ billing }, at) => billing.advanceTask(processId, at))
  }
  async handleGatewayEvent(chargeId: string, now: number) {
    return await this.#withLedger(now, ({ billing }, at) => billing.handleGatewayEvent(chargeId, at))
  }
  /**
   * Returns true if a request with this idempotency key is pending or has a stored response. A repeated request then
   * needs no new coupon hold.
   */
  async hasIntent(intent: string, now: number) {
    return await this.#withLedger(now, ({ ctx }) => ctx.book.get('intent', intent) !== null)
  }

  async methods(now: number) {
    return await this.#withLedger(now, ({ ctx }, at) => paymentMethods.getPaymentMethods(ctx, at))
  }
  async addMethod(session: string, method: GatewayMethod, now: number) {
    return await this.#runTransaction(now, (ctx, at) =>
      ctx.book.isEnded()
        ? paymentMethods.rejectPaymentMethod(ctx.book, method.token)
        : paymentMethods.addMethod(ctx, session, method, at),
    )
  }
  async chooseMethod(intent: string, methodId: string, now: number) {
    return await this.#runTransaction(now, ({ book }, at) => {
      const request = { intent, body: ['choose', methodId] }
      return runIdempotent(book, request, at, () => paymentMethods.setDefaultPaymentMethod(book, methodId, at))
    })
  }
  async removeMethod(intent: string, methodId: string, now: number) {
    return await this.#runTransaction(now, ({ book }, at) => {
      const request = { intent, body: ['remove', methodId] }
      return runIdempotent(book, request, at, () => paymentMethods.removePaymentMethod(book, methodId, at))
    })
  }
  async state(now: number) {
    return await this.#afterDue(now, ({ book }, at) => getEligibilityState(book, at))
  }
  async invoices(now: number) {
    return await this.#withLedger(now, ({ ctx }) => listInvoices(ctx.book))
  }
  /** Returns the entries that moved money after entry number `after` (statement.ts). */
  async listStatementEntries(after: number, now: number) {
    return await this.#withLedger(now, ({ ctx }) => readStatementPage(ctx.book, after))
  }
  async previewCoupon(use: CouponUse, now: number) {
    return await this.#withLedger(now, ({ ctx }, at) => previewCoupon(ctx, use, at))
  }
  async useCoupon(intent: string, use: CouponUse, now: number) {
    return await this.#afterDue(now, (ctx, at) =>
      ctx.book.transaction(() =>
        runIdempotent(ctx.book, { intent, body: use }, at, () => redeemCouponOption(ctx, intent, use, at)),
      ),
    )
  }

  async assignLicenses(subscriptionId: string, devices: readonly string[], mine: readonly string[], now: number) {
    return await this.#runTransaction(now, ({ book }, at) => assignLicenses(book, subscriptionId, devices, mine, at))
  }
  async unassignLicenses(ask: Parameters<typeof moves.unassignLicenses>[1], now: number) {
    return await this.#runTransaction(now, ({ book }, at) => moves.unassignLicenses(book, ask, at))
  }
  async transferLicense(ask: Parameters<typeof moves.moveLicenseAssignment>[1], now: number) {
    return await this.#runTransaction(now, ({ book }, at) => moves.moveLicenseAssignment(book, ask, at))
  }
  async getAutoAssignment(now: number) {
    return await this.#withLedger(now, ({ ctx }) => moves.isAutoAssignmentOn(ctx.book))
  }
  async setAutoAssignment(ask: { intent: string; on: boolean }, now: number) {
    return await this.#runTransaction(now, ({ book }, at) => moves.storeAutoAssignment(book, ask, at))
  }
  async assignLicenseToNewCamera(deviceId: string, mine: readonly string[], now: number) {
    return await this.#runTransaction(now, ({ book }, at) => moves.assignLicenseToNewCamera(book, deviceId, mine, at))
  }
  async releaseLicense(deviceId: string, now: number) {
    await this.#runTransaction(now, ({ book }, at) => moves.releaseLedgerLicense(book, deviceId, at))
  }
  async open(openings: readonly ImportedSubscription[], now: number) {
    await this.#runTransaction(now, (ctx, at) => {
      importSubscriptions(ctx, openings, [], at)
    })
  }

  /**
   * Returns the cancellation options of a plan with exact amounts, the revision of the plan, and the number of the
   * account's invoices.
   */
  async getCancellationOptions(subscriptionId: string, now: number) {
    return await this.#afterDue(now, (ctx, at) => {
      const ways = cancellation.listCancellationOptions(ctx, subscriptionId, at)
      const revision = ctx.book.get('subscription', subscriptionId)?.revision ?? 0
      return isLedgerError(ways) ? ways : { ways, revision, bills: ctx.book.listIds('invoice').length }
    })
  }
  async cancelSubscription(
    ask: cancellation.SubscriptionVersion & { intent: string; way: CancellationTiming; reason: CancelReason | null },
    now: number,
  ) {
    return await this.#runIdempotentChange('leave', ask, now, (ctx, at) =>
      cancellation.applyCancellation(ctx, ask, ask, at),
    )
  }
  async previewClosing(now: number): Promise<AccountClosing> {
    return await this.#afterDue(now, previewClosing)
  }
  async cancelAllSubscriptions(now: number): Promise<void> {
    await this.#afterDue(now, (ctx, at) => ctx.book.transaction(() => cancellation.cancelAllSubscriptions(ctx, at)))
  }
  async undoCancellation(ask: cancellation.SubscriptionVersion & { intent: string }, now: number) {
    return await this.#runIdempotentChange('stay', ask, now, (ctx, at) => cancellation.undoCancellation(ctx, ask, at))
  }
  async pause(ask: cancellation.SubscriptionVersion & { intent: string; months: number }, now: number) {
    return await this.#runIdempotentChange('pause', ask, now, ({ book }, at) =>
      pauseSubscription(book, ask, ask.months, at),
    )
  }
  async resume(ask: cancellation.SubscriptionVersion & { intent: string }, now: number) {
    return await this.#runIdempotentChange('resume', ask, now, ({ book }, at) => resumeSubscription(book, ask, at))
  }
  async payOpenInvoice(ask: OpenInvoicePaymentRequest, now: number) {
    return await this.#withLedger(now, ({ billing }, at) => billing.payOpenInvoice(ask, at))
  }
  async getTrialExtension(now: number) {
    return await this.#afterDue(now, ({ book }, at) => findTrialExtension(book, at))
  }
  async extendTrial(ask: { intent: string; subscription_id: string }, now: number) {
    return await this.#runIdempotentChange('extend', ask, now, ({ book }, at) =>
      extendFreeTrial(book, ask.subscription_id, at),
    )
  }

  /**
   * Advances the test clock by `by` ms, one due time at a time. Returns how far the clock is ahead of real time, ms.
   */
  async moveClock(by: number, now: number): Promise<number> {
    return await this.#withLedger(now, async ({ ctx, billing }) => {
      await advanceTestClock(ctx, billing, { by, now })
      return ctx.book.getCounter('clock')
    })
  }
  /**
   * Moves the test clock of an empty ledger `by` ms into the past, and turns notifications off until `catchUp`. Returns
   * false if the ledger is not empty.
   */
  async startInPast(by: number, now: number): Promise<boolean> {
    return await this.#runTransaction(now, ({ book }) => setClockBack(book, by))
  }
  async catchUp(now: number): Promise<void> {
    await this.#withLedger(now, ({ ctx, billing }) => catchUpTestClock(ctx, billing, now))
  }

  /** Processes everything that is due by `now` and delivers the outbox. */
  async processDue(now: number): Promise<void> {
    await this.#withLedger(now, ({ billing }, at) => billing.due(at))
  }
  async end(now: number): Promise<void> {
    await this.#withLedger(now, ({ billing }, at) => billing.closeAccount(at))
  }
  /** Deletes personal data of a deleted account. Invoices and entries stay (provider/accounts/deletion). */
  async erasePersonalData(now: number): Promise<void> {
    await this.#runTransaction(now, ({ book }) => erasePersonalData(book))
  }
  async checkRefund(refundId: string, now: number): Promise<void> {
    await this.#withLedger(now, ({ ctx }, at) => checkRefund(ctx, refundId, at))
  }
  async createReconciliationSnapshot(now: number) {
    return await this.#withLedger(now, ({ ctx }) => buildReconciliationSnapshot(ctx))
  }
  async rebuild(now: number): Promise<void> {
    await this.#runTransaction(now, ({ book }) => {
      for (const id of book.listIds('subscription')) addToOutbox(book, { kind: 'subscription', id })
    })
  }

  async alarm(): Promise<void> {
    await this.processDue(Date.now())
  }

  #runTransaction<T>(now: number, work: (ctx: LedgerContext, at: number) => T): Promise<T> {
    return this.#withLedger(now, ({ ctx }, at) => ctx.book.transaction(() => work(ctx, at)))
  }

  /** Runs a plan change: first processes due work, then runs `work` once per idempotency key. */
  #runIdempotentChange<T>(
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
    return this.#withLedger(now, async ({ ctx, billing }, at) => {
      await billing.due(at)
      return work(ctx, at)
    })
  }

  /** Runs `work` on the open ledger, then delivers the outbox. `at`: the time `now` on the ledger's test clock. */
  async #withLedger<T>(now: number, work: (parts: LedgerParts, at: number) => T | Promise<T>): Promise<T> {
    const parts = (this.#parts ??= openLedgerParts(this.ctx.storage, this.env, this.ctx.id.name))
    const { ctx, dispatcher } = parts
    if (ctx.book.getCounter('opened') === 0) await importLegacyRows(ctx, this.env, now)
    try {
      return await work(parts, now + ctx.book.getCounter('clock'))
    } finally {
      // Set the alarm before the delivery as well, so that the alarm resumes the delivery if it is interrupted.
      if (dispatcher.hasMessages()) await dispatcher.scheduleAlarm()
      await dispatcher.send()
      await dispatcher.scheduleAlarm()
    }
  }
}
