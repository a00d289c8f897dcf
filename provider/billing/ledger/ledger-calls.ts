import type { PaymentMethod, Upcoming } from '../../../contract/billing/payment-methods-and-invoices.ts'
import type { ChangeCode } from '../../../contract/billing/change-codes.ts'
import type { BillingProvider, Channel, FieldProblem, Period } from '../../../contract/billing/money.ts'
import type { Order, Quote } from '../../../contract/billing/purchase.ts'
import type { CouponChange } from '../../../contract/billing/coupons.ts'
import type { Sku } from '../../../contract/billing/skus.ts'
import type { GatewayMethod } from '../payment/gateway-interface.ts'

/** A refusal as it crosses from a Durable Object: what `refusalOf` makes a `Refusal` of. Nothing was charged. */
export interface LedgerError {
  readonly state: 'refused'
  readonly code: number | string
  /** HTTP status. */
  readonly status: 400 | 402 | 403 | 404 | 409 | 422 | 429 | 503
  readonly msg?: string
  /** `data` of the answer: fields with their problems, a new quote, why a coupon is refused. */
  readonly data?:
    { readonly errors: readonly FieldProblem[] } | Quote | Readonly<Record<string, string | number | null>>
}

/** What takes something off the first bill: looked up and allowed by provider/redeem before the ledger is asked. */
export interface Discount {
  readonly code: string
  readonly kind: 'percent' | 'amount'
  /** Percent, or cents. */
  readonly value: number
}

/** What somebody wants, every number checked by its schema. */
export interface OrderRequest {
  readonly sku: Exclude<Sku, 'free'>
  readonly period: Period
  readonly quantity: number
  readonly discount: Discount | null
  readonly isTrial: boolean
  /** Update mode: the subscription and the revision that the page knew. */
  readonly changes: { readonly subscription_id: string; readonly revision: number } | null
}

export interface PurchaseRequest {
  readonly intent: string
  /** The sealed quote as it came back; what was wanted stands in it and in `wanted`, and both must agree. */
  readonly quote: string
  readonly wanted: Omit<OrderRequest, 'discount' | 'isTrial'>
  /** Null: `createPurchase`. */
  readonly change: ChangeCode | null
  readonly methodId: string | null
  /** Own cameras that new licences cover. */
  readonly cameras: readonly string[]
  /** Every camera that the account may bind; left out: those that are named. */
  readonly own?: readonly string[]
}

export type PurchaseAnswer =
  | { readonly state: 'done'; readonly order: Order }
  | { readonly state: 'pending'; readonly process_id: string }
  | LedgerError

export type TaskAnswer =
  | {
      readonly state: 'pending'
      readonly begun_at: number
      readonly step: 'asked' | 'authorised' | 'charged'
      /** The bank asks the buyer on this page of its own. */
      readonly action_url?: string
    }
  | { readonly state: 'done'; readonly order: Order }
  | { readonly state: 'failed'; readonly code: string; readonly msg: string }
  | LedgerError

export interface Methods {
  readonly methods: readonly PaymentMethod[]
  readonly upcoming: readonly Upcoming[]
  readonly balance: number
  readonly address: readonly string[]
}

/** What rules about coupons and the free days ask of a book. */
export interface BookState {
  readonly subscriptions: readonly {
    readonly subscription_id: string
    readonly revision: number
    readonly sku: Sku
    readonly channel: Channel
    readonly status: 'active' | 'cancelled' | 'past_due' | 'trial'
    readonly quantity: number
    readonly period: Period
    readonly since: number
    readonly renews_at: number
    readonly isRunning: boolean
  }[]
  readonly balance: number
  /** Codes that this account has used, and those that a charge under way is to use. */
  readonly redeemed: readonly string[]
  readonly reserved: readonly string[]
  readonly hadTrial: boolean
  /** Whether it has ever paid for something. */
  readonly hasPaid: boolean
}

/** What a coupon does for one account: `credit` cents, `free_months` of a plan, `bonus` days of one licence of a plan. */
export interface CouponUse {
  readonly code: string
  readonly kind: 'credit' | 'free_months' | 'bonus'
  readonly sku: Exclude<Sku, 'free'> | null
  readonly value: number
}

/** A subscription that is there before anything was bought here: seed, operator, migration, other channels. */
export interface Opening {
  readonly subscription_id: string
  readonly sku: Sku
  readonly channel: Channel
  readonly status: 'active' | 'cancelled' | 'past_due' | 'trial'
  readonly quantity: number
  readonly period: Period
  readonly billing_provider: BillingProvider
  readonly renews_at: number
  readonly since: number
}

export type BindWhy = 'no_licence' | 'not_yours' | 'bound'

/** What the rest of the provider asks a `Ledger`, which is named by the user id. Times are ms UTC. */
export interface LedgerCalls {
  preview(request: OrderRequest, now: number): Promise<Quote | LedgerError>
  purchase(ask: PurchaseRequest, now: number): Promise<PurchaseAnswer>
  task(processId: string, now: number): Promise<TaskAnswer>
  methods(now: number): Promise<Methods>
  /** Takes a confirmed method in; the same session again changes nothing. The first one is the default. */
  addMethod(session: string, method: GatewayMethod, now: number): Promise<PaymentMethod | LedgerError>
  chooseMethod(intent: string, methodId: string, now: number): Promise<readonly PaymentMethod[] | LedgerError>
  removeMethod(intent: string, methodId: string, now: number): Promise<readonly PaymentMethod[] | LedgerError>
  state(now: number): Promise<BookState>
  /** What using the coupon would change; nothing is used. */
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
  /** Binds own cameras to licences; `mine`: every camera that is the account's to bind, looked up by the call. A licence of one that is not is free again. */
  bind(
    subscriptionId: string,
    devices: readonly string[],
    mine: readonly string[],
    now: number,
  ): Promise<
    readonly { readonly device_mac: string; readonly bound: boolean; readonly why: BindWhy | null }[] | LedgerError
  >
  /** Adds subscriptions as opening entries; those whose ids are there already are left alone. */
  open(openings: readonly Opening[], now: number): Promise<void>
}
