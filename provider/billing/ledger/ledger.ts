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
  PreviewRequest,
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
import { settleRestoredLedger, type MissingCharges } from './restore-hold.ts'
import * as moves from './license-transfers.ts'
import { assignLicenses } from './licenses.ts'
import { catchUpTestClock, advanceTestClock, setClockBack } from './test-clock.ts'
import { pauseSubscription, resumeSubscription } from './pause-subscription.ts'
import type { OpenInvoicePaymentRequest } from './pay-open-invoice.ts'
import * as paymentMethods from './payment-methods.ts'
import { importSubscriptions } from './legacy-import.ts'
import { addToOutbox } from './outbox.ts'
import { readStatementPage } from './statement.ts'
import { createHeldError, isLedgerError } from './errors.ts'
import { LEDGER_SCHEMA } from './ledger-schema.ts'
import { getEligibilityState } from './eligibility-state.ts'

/** Ledger of one account, named by the user id. Only this object changes the account's money (docs/decisions/0053). */
export class Ledger extends DurableObject<Env> implements LedgerCalls {
  #parts: LedgerParts | null = null

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    ctx.storage.transactionSync(() => migrateSchema(ctx.storage.sql, LEDGER_SCHEMA))
  }

  async preview(request: PreviewRequest, now: number) {
    return await this.#withLedger(now, ({ billing }, at) => billing.preview(request, at))
  }
  async purchase(request: PurchaseRequest, now: number) {
    return await this.#withLedger(now, ({ billing }, at) => billing.purchase(request, at))
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

  async getPaymentOverview(now: number) {
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
  async getEligibilityState(now: number) {
    return await this.#runAfterDue(now, ({ book }, at) => getEligibilityState(book, at))
  }
  async listInvoices(now: number) {
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
    return await this.#runAfterDue(now, (ctx, at) =>
      ctx.book.isHeld()
        ? createHeldError()
        : ctx.book.transaction(() =>
            runIdempotent(ctx.book, { intent, body: use }, at, () => redeemCouponOption(ctx, intent, use, at)),
          ),
    )
  }

  async assignLicenses(subscriptionId: string, devices: readonly string[], ownCameras: readonly string[], now: number) {
    return await this.#runTransaction(now, ({ book }, at) =>
      assignLicenses(book, subscriptionId, devices, ownCameras, at),
    )
  }
  async unassignLicenses(request: Parameters<typeof moves.unassignLicenses>[1], now: number) {
    return await this.#runTransaction(now, ({ book }, at) => moves.unassignLicenses(book, request, at))
  }
  async transferLicense(request: Parameters<typeof moves.moveLicenseAssignment>[1], now: number) {
    return await this.#runTransaction(now, ({ book }, at) => moves.moveLicenseAssignment(book, request, at))
  }
  async getAutoAssignment(now: number) {
    return await this.#withLedger(now, ({ ctx }) => moves.isAutoAssignmentOn(ctx.book))
  }
  async setAutoAssignment(request: { intent: string; on: boolean }, now: number) {
    return await this.#runTransaction(now, ({ book }, at) => moves.storeAutoAssignment(book, request, at))
  }
  async assignLicenseToNewCamera(deviceId: string, ownCameras: readonly string[], now: number) {
    return await this.#runTransaction(now, ({ book }, at) =>
      moves.assignLicenseToNewCamera(book, deviceId, ownCameras, at),
    )
  }
  async releaseLicense(deviceId: string, now: number) {
    await this.#runTransaction(now, ({ book }, at) => moves.releaseLedgerLicense(book, deviceId, at))
  }
  async importSubscriptions(openings: readonly ImportedSubscription[], now: number) {
    await this.#runTransaction(now, (ctx, at) => {
      importSubscriptions(ctx, openings, [], at)
    })
  }

  /**
   * Returns the cancellation options of a plan with exact amounts, the revision of the plan, and the number of the
   * account's invoices.
   */
  async getCancellationOptions(subscriptionId: string, now: number) {
    return await this.#runAfterDue(now, (ctx, at) => {
      const options = cancellation.listCancellationOptions(ctx, subscriptionId, at)
      const revision = ctx.book.get('subscription', subscriptionId)?.revision ?? 0
      return isLedgerError(options) ? options : { ways: options, revision, bills: ctx.book.listIds('invoice').length }
    })
  }
  async cancelSubscription(
    request: cancellation.SubscriptionVersion & {
      intent: string
      way: CancellationTiming
      reason: CancelReason | null
    },
    now: number,
  ) {
    return await this.#runIdempotentChange('leave', request, now, (ctx, at) =>
      cancellation.applyCancellation(ctx, request, request, at),
    )
  }
  async previewClosing(now: number): Promise<AccountClosing> {
    return await this.#runAfterDue(now, previewClosing)
  }
  async cancelAllSubscriptions(now: number): Promise<void> {
    await this.#runAfterDue(now, (ctx, at) => ctx.book.transaction(() => cancellation.cancelAllSubscriptions(ctx, at)))
  }
  async undoCancellation(request: cancellation.SubscriptionVersion & { intent: string }, now: number) {
    return await this.#runIdempotentChange('stay', request, now, (ctx, at) =>
      cancellation.undoCancellation(ctx, request, at),
    )
  }
  async pause(request: cancellation.SubscriptionVersion & { intent: string; months: number }, now: number) {
    return await this.#runIdempotentChange('pause', request, now, ({ book }, at) =>
      pauseSubscription(book, request, request.months, at),
    )
  }
  async resume(request: cancellation.SubscriptionVersion & { intent: string }, now: number) {
    return await this.#runIdempotentChange('resume', request, now, ({ book }, at) =>
      resumeSubscription(book, request, at),
    )
  }
  async payOpenInvoice(request: OpenInvoicePaymentRequest, now: number) {
    return await this.#withLedger(now, ({ billing }, at) => billing.payOpenInvoice(request, at))
  }
  async getTrialExtension(now: number) {
    return await this.#runAfterDue(now, ({ book }, at) => findTrialExtension(book, at))
  }
  async extendTrial(request: { intent: string; subscription_id: string }, now: number) {
    return await this.#runIdempotentChange('extend', request, now, ({ book }, at) =>
      extendFreeTrial(book, request.subscription_id, at),
    )
  }

  /**
   * Advances the test clock by `byMs` ms, one due time at a time. Returns how far the clock is ahead of real time, ms.
   */
  async moveClock(byMs: number, now: number): Promise<number> {
    return await this.#withLedger(now, async ({ ctx, billing }) => {
      await advanceTestClock(ctx, billing, { by: byMs, now })
      return ctx.book.getCounter('clock')
    })
  }
  /**
   * Moves the test clock of an empty ledger `byMs` ms into the past, and turns notifications off until `catchUp`.
   * Returns false if the ledger is not empty.
   */
  async startInPast(byMs: number, now: number): Promise<boolean> {
    return await this.#runTransaction(now, ({ book }) => setClockBack(book, byMs))
  }
  async catchUp(now: number): Promise<void> {
    await this.#withLedger(now, ({ ctx, billing }) => catchUpTestClock(ctx, billing, now))
  }

  async processDue(now: number): Promise<void> {
    await this.#withLedger(now, ({ billing }, at) => billing.processDue(at))
  }
  async closeAccount(now: number): Promise<void> {
    await this.#withLedger(now, ({ billing }, at) => billing.closeAccount(at))
  }
  /** Deletes personal data of a deleted account. Invoices and entries stay (provider/accounts/deletion). */
  async erasePersonalData(now: number): Promise<void> {
    await this.#runTransaction(now, ({ book }) => erasePersonalData(book))
  }
  async checkRefund(refundId: string, now: number): Promise<void> {
    await this.#withLedger(now, ({ ctx }, at) => (ctx.book.isHeld() ? undefined : checkRefund(ctx, refundId, at)))
  }
  async settleRestore(missing: MissingCharges, now: number): Promise<void> {
    await this.#withLedger(now, ({ ctx, billing }, at) => settleRestoredLedger(ctx, billing, missing, at))
  }
  async createReconciliationSnapshot(now: number) {
    return await this.#withLedger(now, ({ ctx }) => buildReconciliationSnapshot(ctx))
  }
  async rebuildProjection(now: number): Promise<void> {
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

  #runIdempotentChange<T>(
    operation: string,
    { intent, ...input }: { readonly intent: string },
    now: number,
    work: (ctx: LedgerContext, at: number) => T | LedgerError,
  ): Promise<T | LedgerError> {
    return this.#runAfterDue(now, (ctx, at) =>
      ctx.book.isHeld()
        ? createHeldError()
        : ctx.book.transaction(() =>
            runIdempotent(ctx.book, { intent, body: [operation, input] }, at, () => work(ctx, at)),
          ),
    )
  }

  #runAfterDue<T>(now: number, work: (ctx: LedgerContext, at: number) => T): Promise<T> {
    return this.#withLedger(now, async ({ ctx, billing }, at) => {
      await billing.processDue(at)
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
