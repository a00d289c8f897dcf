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
  /** Time of the first request, by the same clock as `now`. */
  readonly begunAt?: number
}

/**
 * Result of an authorization. `pending`: the bank is still processing. `action`: the bank asks the buyer to confirm on
 * its page `url`. In both cases, the caller repeats the request.
 */
export type AuthorizationResult =
  | { readonly state: 'authorised'; readonly authorisation: string }
  | { readonly state: 'declined'; readonly code: string; readonly errors: readonly FieldProblem[] }
  | { readonly state: 'pending' }
  | { readonly state: 'action'; readonly url: string }

/** Method stored by the gateway: its displayable fields, and the token that charges it. */
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
 * Method that was saved on a card page; null if none was saved. `unproven`: the method was typed in another browser.
 */
export type ClaimedMethod = GatewayMethod | 'unproven' | null

export interface CardPurpose {
  readonly email: string
  /** One line per item to buy, with its price; empty if the method is only stored for later purchases. */
  readonly lines: readonly string[]
}

/** Charge as the gateway reports it, for `npm run reconcile`. */
export interface GatewayCharge {
  readonly key: string
  readonly charge: string
  readonly cents: number
  /** ISO 4217, upper case. */
  readonly currency: string
  /** Refunded cents. */
  readonly refunded: number
  /** ms UTC */
  readonly at: number
}

/**
 * Payment gateway. A call that is repeated with the same key returns the same result. Calls throw `GatewayDownError` if
 * the result is unknown. Times are ms UTC.
 */
export interface PaymentGateway {
  /**
   * Opens the hosted card page. Returns its session id, and a single-use URL that expires after
   * `CARD_TICKET_LIFETIME_MS`.
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
  charges(account: string): Promise<readonly GatewayCharge[]>
}

/** Error for a gateway call without a clear response. The caller must check again whether the amount was charged. */
export class GatewayDownError extends Error {
  override readonly name = 'GatewayDown'
}

/** Error for a refund that the bank has returned, such as a refund to a closed card. */
export class RefundFailedError extends Error {
  override readonly name = 'RefundFailed'
}

/** Error for an authorization that has expired at the bank. Nothing was collected, and nothing will be. */
export class AuthorizationExpiredError extends Error {
  override readonly name = 'AuthorisationGone'
}
