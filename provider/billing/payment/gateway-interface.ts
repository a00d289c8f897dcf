import type { FieldProblem } from '../../../contract/billing/money.ts'

/** What is to be collected. `key` names it for good: the same key is never collected twice. */
export interface ChargeRequest {
  readonly key: string
  /** User id of the account. */
  readonly account: string
  /** Of the method, as the gateway gave it. */
  readonly token: string
  /** Integer cents, above 0. */
  readonly cents: number
  readonly currency: string
  /** Whether the buyer is there, so that their bank may ask them; at a renewal nobody is. */
  readonly isPresent?: boolean
  /** When it was asked for first, by the clock that `now` is of. */
  readonly begunAt?: number
}

/** What became of an authorisation. `pending`: the bank takes its time; `action`: it asks the buyer on its own page `url` (https). Ask again. */
export type AuthorizationResult =
  | { readonly state: 'authorised'; readonly authorisation: string }
  | { readonly state: 'declined'; readonly code: string; readonly errors: readonly FieldProblem[] }
  | { readonly state: 'pending' }
  | { readonly state: 'action'; readonly url: string }

/** A method that the gateway keeps: what may be shown of it, and the token that charges it. */
export interface GatewayMethod {
  readonly token: string
  readonly type: 'card' | 'wallet'
  readonly brand: string
  /** Of a card, else ''. */
  readonly last_four: string
  /** Of a wallet: whose it is, else ''. */
  readonly name: string
  readonly ends: { readonly month: number; readonly year: number } | null
  /** Billing address, line by line. */
  readonly address: readonly string[]
}

/** Method that a card page ended with. null: no method was saved. `unproven`: another browser typed it than the one that returned. */
export type TakenMethod = GatewayMethod | 'unproven' | null

/** What is shown of a card's purpose on the card page. */
export interface CardPurpose {
  readonly email: string
  /** One line each: what is bought and what it costs; empty: a method for later. */
  readonly lines: readonly string[]
}

/** A charge as the gateway has it, for `npm run reconcile`. */
export interface GatewayCharge {
  readonly key: string
  readonly charge: string
  readonly cents: number
  /** ISO 4217, upper case. */
  readonly currency: string
  /** What was given back of it. */
  readonly refunded: number
  /** ms UTC */
  readonly at: number
}

/**
 * A payment gateway. Every method may be asked again with the same key and has the same answer then; each throws
 * `GatewayDown` when nothing is known. Times are ms UTC.
 */
export interface Gateway {
  /** Opens the hosted card page once: its address, good until `CARD_TICKET_MS` after `now`, and the session that it fills. */
  openCardPage(account: string, purpose: CardPurpose, now: number): Promise<{ session: string; url: string }>
  /**
   * Releases the method that a session ended with to its account. `proof`: from the return of the browser that typed the
   * card. A gateway whose page cannot issue one ignores it.
   */
  claimMethod(account: string, session: string, proof: string | null, now: number): Promise<TakenMethod>
  authorize(ask: ChargeRequest, now: number): Promise<AuthorizationResult>
  /** Collects what was authorised: the id of the charge. Throws `AuthorisationGone` where it never will be. */
  capture(account: string, key: string, now: number): Promise<{ charge: string }>
  /** Throws `RefundFailed` if the bank has returned the refund of this key: ask again with another key. */
  refund(account: string, key: string, refundKey: string, cents: number, now: number): Promise<{ refund: string }>
  /** True if the bank has returned this refund, so that the money is with the seller again. */
  hasFailed(account: string, key: string, refundKey: string): Promise<boolean>
  /** Forgets a method. */
  deleteMethod(account: string, token: string): Promise<void>
  /** The account is gone: whatever names its owner goes, what was collected stays. */
  eraseAccount(account: string): Promise<void>
  /** Everything that was collected from the account. */
  charges(account: string): Promise<readonly GatewayCharge[]>
}

/** The gateway did not answer, or what it answered says nothing: whether something was charged is to be asked again. */
export class GatewayDown extends Error {
  override readonly name = 'GatewayDown'
}

/** The bank has returned a refund, such as one to a closed card. */
export class RefundFailed extends Error {
  override readonly name = 'RefundFailed'
}

/** What was authorised is over at the bank: nothing was collected, and nothing will be. */
export class AuthorizationExpired extends Error {
  override readonly name = 'AuthorisationGone'
}
