import type { FieldProblem } from '../../../contract/billing/money.ts'

/** Charge to collect. `key` names it permanently: the same key is never collected twice. */
export interface ChargeRequest {
  readonly key: string
  /** User id of the account. */
  readonly account: string
  /** Token of the method, as issued by the gateway. */
  readonly token: string
  /** Integer cents, above 0. */
  readonly cents: number
  readonly currency: string
  /** True if the buyer is present, so that their bank may ask them; false for a renewal. */
  readonly isPresent?: boolean
  /** Time of the first request, by the same clock as `now`. */
  readonly begunAt?: number
}

/**
 * Result of an authorization. `pending`: the bank is still processing. `action`: the bank asks the buyer for a
 * confirmation on its own page `url` (https). In both cases, the caller repeats the request.
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
  /** Billing address, line by line. */
  readonly address: readonly string[]
}

/**
 * Method that was saved on a card page; null if none was saved. `unproven`: the browser that returned is not the one in
 * which the method was typed.
 */
export type TakenMethod = GatewayMethod | 'unproven' | null

export interface CardPurpose {
  readonly email: string
  /** One line per item to buy, with its price; empty for a method for later. */
  readonly lines: readonly string[]
}

/** Charge as the gateway has it, for `npm run reconcile`. */
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
 * Payment gateway. Every call may be repeated with the same key and then returns the same result; each throws
 * `GatewayDown` if the result is unknown. Times are ms UTC.
 */
export interface Gateway {
  /**
   * Opens the hosted card page. Returns its single-use URL, valid until `CARD_TICKET_MS` after `now`, and the session
   * that it fills.
   */
  openCardPage(account: string, purpose: CardPurpose, now: number): Promise<{ session: string; url: string }>
  /**
   * Releases the method that was saved in a card session to its account. `proof`: from the return of the browser in
   * which the card was typed. A gateway whose page cannot issue a proof ignores it.
   */
  claimMethod(account: string, session: string, proof: string | null, now: number): Promise<TakenMethod>
  authorize(ask: ChargeRequest, now: number): Promise<AuthorizationResult>
  /** Collects an authorized charge and returns its id. Throws `AuthorizationExpired` if it never can be collected. */
  capture(account: string, key: string, now: number): Promise<{ charge: string }>
  /**
   * Refunds `cents` of a charge. Throws `RefundFailed` if the bank has returned the refund of this `refundKey`; then
   * retry with another one.
   */
  refund(account: string, key: string, refundKey: string, cents: number, now: number): Promise<{ refund: string }>
  /** Returns true if the bank has returned this refund, so that the seller has the money again. */
  hasFailed(account: string, key: string, refundKey: string): Promise<boolean>
  deleteMethod(account: string, token: string): Promise<void>
  /** Deletes personal data of a deleted account. Collected charges stay. */
  eraseAccount(account: string): Promise<void>
  charges(account: string): Promise<readonly GatewayCharge[]>
}

/**
 * The gateway did not respond, or its response is inconclusive: the caller must check again whether something was
 * charged.
 */
export class GatewayDown extends Error {
  override readonly name = 'GatewayDown'
}

/** The bank has returned a refund, such as one to a closed card. */
export class RefundFailed extends Error {
  override readonly name = 'RefundFailed'
}

/** The authorization has expired at the bank: nothing was collected, and nothing will be. */
export class AuthorizationExpired extends Error {
  override readonly name = 'AuthorisationGone'
}
