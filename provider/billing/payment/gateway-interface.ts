import type { FieldProblem } from '../../../contract/billing/money.ts'

/** Charge to collect. `key` identifies it permanently, so that it is never collected twice. */
export interface ChargeRequest {
  readonly key: string
  /** User id of the account. */
  readonly account: string
  readonly token: string
  /** Integer cents, above 0. */
  readonly cents: number
  readonly currency: string
  /** True if the buyer is present and can answer a challenge of the bank; false for a renewal. */
  readonly isPresent?: boolean
  /**
   * Time of the first authorization request of this charge, ms UTC. Uses the same clock as the `now` parameter of
   * `authorize`.
   */
  readonly begunAt?: number
}

/**
 * Result of an authorization. `pending`: the bank is still processing the payment. `action`: the buyer must confirm the
 * payment on the bank's page `url`. In both cases, the caller repeats the request.
 */
export type AuthorizationResult =
  | { readonly state: 'authorised'; readonly authorisation: string }
  | { readonly state: 'declined'; readonly code: string; readonly errors: readonly FieldProblem[] }
  | { readonly state: 'pending' }
  | { readonly state: 'action'; readonly url: string }

/** Payment method that the payment gateway stores: its displayable fields, and the token that charges it. */
export interface GatewayMethod {
  readonly token: string
  readonly type: 'card' | 'wallet'
  readonly brand: string
  /** Last four digits of the card; empty for a wallet. */
  readonly last_four: string
  /** Name of the wallet; empty for a card. */
  readonly name: string
  readonly ends: { readonly month: number; readonly year: number } | null
  readonly address: readonly string[]
}

/**
 * Method that was saved on a card page; null if there is none or the card session has expired. `unproven`: the proof is
 * missing or wrong, for example because the method was saved in another browser.
 */
export type ClaimedMethod = GatewayMethod | 'unproven' | null

export interface UnpaidCharge {
  /** Last day on which the plan works without a payment, formatted; null if the plan has stopped already. */
  readonly worksUntil: string | null
}

export interface CardPurpose {
  readonly email: string
  /** One line per item to buy, with its price; empty if the method is only stored for later purchases. */
  readonly lines: readonly string[]
  /** Amount that the user pays after the card page, formatted; absent if the method is only stored. */
  readonly amount?: string
  /** Failed charge that the card pays; absent for a purchase. The user then returns to the services. */
  readonly unpaid?: UnpaidCharge
  /** Billing address of the account's default card, which the card page offers; absent if there is none. */
  readonly address?: readonly string[]
}

/** Collected charge as the payment gateway reports it, for `npm run reconcile`. */
export interface GatewayCharge {
  readonly key: string
  readonly charge: string
  readonly cents: number
  /** ISO 4217, upper case. */
  readonly currency: string
  /** Refunded cents. */
  readonly refunded: number
  /** Time of the charge, ms UTC. */
  readonly at: number
}

/**
 * Payment gateway. A call that is repeated with the same key takes effect only once. Calls throw `GatewayDownError` if
 * the result is unknown. Times are ms UTC.
 */
export interface PaymentGateway {
  /**
   * Opens a hosted card page. Returns the id of its card session and its URL. A URL of the embedded gateway works only
   * once, and expires after `CARD_TICKET_LIFETIME_MS`.
   */
  openCardPage(account: string, purpose: CardPurpose, now: number): Promise<{ session: string; url: string }>
  /**
   * Returns the method that a card session saved. `proof`: secret from the browser in which the card was typed.
   * Gateways whose card page issues no proof ignore this parameter.
   */
  claimMethod(account: string, session: string, proof: string | null, now: number): Promise<ClaimedMethod>
  authorize(request: ChargeRequest, now: number): Promise<AuthorizationResult>
  /**
   * Collects an authorized charge and returns its id. Throws `AuthorizationExpiredError` if the charge can never be
   * collected.
   */
  capture(account: string, key: string, now: number): Promise<{ charge: string }>
  /**
   * Refunds `cents` of a charge. Throws `RefundFailedError` if the bank has returned this refund; the caller must then
   * retry with a new `refundKey`.
   */
  refund(account: string, key: string, refundKey: string, cents: number, now: number): Promise<{ refund: string }>
  /** Returns true if the bank has returned this refund to the seller. */
  hasRefundFailed(account: string, key: string, refundKey: string): Promise<boolean>
  deleteMethod(account: string, token: string): Promise<void>
  /** Deletes personal data of a deleted account. Collected charges stay. */
  eraseAccount(account: string): Promise<void>
  /**
   * Finds what the gateway stores for a restored account and the backup lacks, so that `charges` includes it. Throws
   * `GatewayDownError` if it can't be found out.
   */
  adoptAccount(account: string): Promise<void>
  charges(account: string): Promise<readonly GatewayCharge[]>
}

/**
 * Error for a payment gateway call with an unknown result. The caller must check again whether the amount was charged.
 */
export class GatewayDownError extends Error {
  override readonly name = 'GatewayDown'
}

/** Error for a refund that the bank has returned, such as a refund to a closed card. */
export class RefundFailedError extends Error {
  override readonly name = 'RefundFailed'
}

/** Error for an authorization that has expired or was canceled, so that its amount can never be collected. */
export class AuthorizationExpiredError extends Error {
  override readonly name = 'AuthorisationGone'
}
