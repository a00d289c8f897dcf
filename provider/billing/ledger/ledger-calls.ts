import type { PaymentMethod, UpcomingCharge } from '../../../contract/billing/payment-methods-and-invoices.ts'
import type { ChangeCode } from '../../../contract/billing/change-codes.ts'
import type { BillingProvider, PurchaseChannel, FieldProblem, Period } from '../../../contract/billing/money.ts'
import type { Order, Quote } from '../../../contract/billing/purchase.ts'
import type { CouponChange } from '../../../contract/billing/coupons.ts'
import type { Sku } from '../../../contract/billing/skus.ts'
import type { GatewayMethod } from '../payment/gateway-interface.ts'

/**
 * Error that a Durable Object returns as plain data; `toApiError` converts it to an `ApiError`. Nothing was charged.
 */
export interface LedgerError {
  readonly state: 'refused'
  readonly code: number | string
  readonly status: 400 | 402 | 403 | 404 | 409 | 422 | 429 | 503
  readonly msg?: string
  /** `data` of the response: invalid fields, a new quote, or the reason why a coupon is rejected. */
  readonly data?:
    { readonly errors: readonly FieldProblem[] } | Quote | Readonly<Record<string, string | number | null>>
}

/** Discount on the first invoice. provider/billing/coupons checks the coupon before it calls the ledger. */
export interface OrderDiscount {
  readonly code: string
  readonly kind: 'percent' | 'amount'
  /** Percent, or cents, according to `kind`. */
  readonly value: number
}

/** Order of a plan. The contract schema of the call has validated the quantity. */
export interface OrderRequest {
  readonly sku: Exclude<Sku, 'free'>
  readonly period: Period
  readonly quantity: number
  readonly discount: OrderDiscount | null
  readonly isTrial: boolean
  /** Subscription to change, with the revision that the page has loaded; null for a new subscription. */
  readonly changes: { readonly subscription_id: string; readonly revision: number } | null
}

/** Order whose price a page requests. */
export interface PreviewRequest extends Omit<OrderRequest, 'quantity' | 'changes'> {
  /** Null: quantity of the running subscription if it has the same plan, otherwise 1. */
  readonly quantity: number | null
  /** `own`: the running camera plan, if there is one. */
  readonly changes: OrderRequest['changes'] | 'own'
}

export interface PurchaseRequest {
  readonly intent: string
  /** Sealed quote as the page returned it. Its order must equal the order in `wanted`. */
  readonly quote: string
  readonly wanted: Omit<OrderRequest, 'discount' | 'isTrial'>
  /** Change code; null for a new purchase (`createPurchase`). */
  readonly change: ChangeCode | null
  readonly methodId: string | null
  /** Cameras that get the new licenses. */
  readonly cameras: readonly string[]
  /** All cameras to which the account may assign licenses; omitted: those in `cameras`. */
  readonly own?: readonly string[]
}

export type PurchaseResult =
  | { readonly state: 'done'; readonly order: Order }
  | { readonly state: 'pending'; readonly process_id: string }
  | LedgerError

export type TaskResult =
  | {
      readonly state: 'pending'
      readonly begun_at: number
      readonly step: 'asked' | 'authorised' | 'charged'
      /** Bank's page for the 3-D Secure challenge. */
      readonly action_url?: string
    }
  | { readonly state: 'done'; readonly order: Order }
  | { readonly state: 'failed'; readonly code: string; readonly msg: string }
  | LedgerError

export interface PaymentOverview {
  readonly methods: readonly PaymentMethod[]
  readonly upcoming: readonly UpcomingCharge[]
  readonly balance: number
  readonly address: readonly string[]
}

/** Ledger data for the rules about coupons and free trials. */
export interface EligibilityState {
  readonly subscriptions: readonly {
    readonly subscription_id: string
    readonly revision: number
    readonly sku: Sku
    readonly channel: PurchaseChannel
    readonly status: 'active' | 'cancelled' | 'past_due' | 'trial'
    readonly quantity: number
    readonly period: Period
    readonly since: number
    readonly renews_at: number
    readonly isRunning: boolean
  }[]
  readonly balance: number
  /** Codes that this account has used, and codes that a pending charge will use. */
  readonly redeemed: readonly string[]
  readonly reserved: readonly string[]
  readonly hadTrial: boolean
  readonly hasPaid: boolean
}

/**
 * Use of a coupon by one account. `value`: cents for `credit`, months of a plan for `free_months`, days of one license
 * for `bonus`.
 */
export interface CouponUse {
  readonly code: string
  readonly kind: 'credit' | 'free_months' | 'bonus'
  readonly sku: Exclude<Sku, 'free'> | null
  readonly value: number
}

/**
 * Subscription that was not bought through this ledger: from seed data, the operator, a migration or another channel.
 */
export interface ImportedSubscription {
  readonly subscription_id: string
  readonly sku: Sku
  readonly channel: PurchaseChannel
  readonly status: 'active' | 'cancelled' | 'past_due' | 'trial'
  readonly quantity: number
  readonly period: Period
  readonly billing_provider: BillingProvider
  readonly renews_at: number
  readonly since: number
}

export type AssignmentRefusalReason = 'no_licence' | 'not_yours' | 'bound'

/** Main calls of a `Ledger` object, which is named by the user id. Times are ms UTC. */
export interface LedgerCalls {
  preview(request: PreviewRequest, now: number): Promise<Quote | LedgerError>
  purchase(request: PurchaseRequest, now: number): Promise<PurchaseResult>
  advanceTask(processId: string, now: number): Promise<TaskResult>
  getPaymentOverview(now: number): Promise<PaymentOverview>
  /** Adds a confirmed payment method; idempotent per session. The first one is the default. */
  addMethod(session: string, method: GatewayMethod, now: number): Promise<PaymentMethod | LedgerError>
  chooseMethod(intent: string, methodId: string, now: number): Promise<readonly PaymentMethod[] | LedgerError>
  removeMethod(intent: string, methodId: string, now: number): Promise<readonly PaymentMethod[] | LedgerError>
  getEligibilityState(now: number): Promise<EligibilityState>
  previewCoupon(use: CouponUse, now: number): Promise<readonly CouponChange[]>
  useCoupon(
    intent: string,
    use: CouponUse,
    now: number,
  ): Promise<
    | {
        readonly state: 'done'
        readonly subscription_id: string | null
        readonly balance: number
        readonly changes: readonly CouponChange[]
      }
    | LedgerError
  >
  /**
   * Assigns licenses of a subscription to the cameras `devices`. `ownCameras`: all cameras to which the account may
   * assign licenses. Unassigns licenses of all subscriptions from cameras that are not in `ownCameras`.
   */
  assignLicenses(
    subscriptionId: string,
    devices: readonly string[],
    ownCameras: readonly string[],
    now: number,
  ): Promise<
    | readonly { readonly device_mac: string; readonly bound: boolean; readonly why: AssignmentRefusalReason | null }[]
    | LedgerError
  >
  /** Adds subscriptions as opening entries; skips ids that exist already. */
  importSubscriptions(openings: readonly ImportedSubscription[], now: number): Promise<void>
}
