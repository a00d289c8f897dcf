import type { FieldProblem } from '../../../../contract/billing/money.ts'
import type { StripeProblem } from './client.ts'

/** Error codes of contract/wire/error-codes.ts for a declined payment. */
export type DeclineCode = '0000' | '4220' | '4221' | '4222' | '4223' | '4224' | '4225' | '4226'

const NUMBER_PROBLEM = {
  field: 'number',
  text: 'The bank doesn’t recognize this card number. Check the number and try again.',
}
const EXPIRY_PROBLEM = {
  field: 'ends',
  text: 'The expiration date isn’t valid for this card. Check the date and try again.',
}
const SECURITY_CODE_PROBLEM = {
  field: 'code',
  text: 'The security code doesn’t match this card. Check the code and try again.',
}

/** Form fields that the buyer can correct, by Stripe code. They are reported with code `0000`. */
const FIELD_PROBLEMS: Readonly<Record<string, FieldProblem>> = {
  incorrect_number: NUMBER_PROBLEM,
  invalid_number: NUMBER_PROBLEM,
  invalid_expiry_month: EXPIRY_PROBLEM,
  invalid_expiry_year: EXPIRY_PROBLEM,
  incorrect_cvc: SECURITY_CODE_PROBLEM,
  invalid_cvc: SECURITY_CODE_PROBLEM,
}

/**
 * Stripe's codes, grouped by the decline code that the buyer gets: all decline codes of cards
 * (docs.stripe.com/declines/codes), and the error codes that come without a decline code.
 *
 * | code | reason |
 * | --- | --- |
 * | 0000 | a typed value is wrong, and its field is known |
 * | 4220 | the buyer was not authenticated (3-D Secure failed, was abandoned or not requested), or the card expired |
 * | 4221 | insufficient funds, or the card's limit is reached |
 * | 4222 | the bank gives no reason; also lost, stolen and suspected cards, because a suspicion is not disclosed |
 * | 4223 | the billing address differs from the bank's |
 * | 4224 | the reasons of 4222, for a wallet |
 * | 4225 | the bank could not process the payment now: a retry may succeed |
 * | 4226 | the card's type, currency, account or PIN prevents the payment, or the card is no longer stored |
 */
export const STRIPE_CODES_BY_DECLINE: Readonly<Record<DeclineCode, readonly string[]>> = {
  '0000': Object.keys(FIELD_PROBLEMS),
  '4220': [
    'authentication_required',
    'authentication_not_handled',
    'mobile_device_authentication_required',
    'authentication_failure',
    'payment_intent_authentication_failure',
    'payment_intent_payment_attempt_expired',
    'three_d_secure_authentication_not_supported',
    'three_d_secure_authentication_upstream_error',
    'expired_card',
    'expired_payment_method',
  ],
  '4221': ['insufficient_funds', 'card_velocity_exceeded', 'withdrawal_count_limit_exceeded'],
  '4222': [
    'call_issuer',
    'card_declined',
    'do_not_honor',
    'do_not_try_again',
    'generic_decline',
    'no_action_taken',
    'fraudulent',
    'lost_card',
    'merchant_blacklist',
    'pickup_card',
    'restricted_card',
    'security_violation',
    'stolen_card',
    'transaction_not_allowed',
    'not_permitted',
    'service_not_allowed',
    'highest_risk_level',
    'elevated_risk_level',
    'rule',
    'previously_declined_do_not_retry',
  ],
  '4223': ['incorrect_address', 'incorrect_zip', 'incorrect_postal_code', 'postal_code_invalid'],
  '4224': ['payment_method_customer_decline', 'payment_method_provider_decline'],
  '4225': [
    'approve_with_id',
    'duplicate_transaction',
    'invalid_amount',
    'issuer_not_available',
    'processing_error',
    'reenter_transaction',
    'try_again_later',
    'card_decline_rate_limit_exceeded',
  ],
  '4226': [
    'card_not_supported',
    'currency_not_supported',
    'invalid_account',
    'new_account_information_available',
    'incorrect_pin',
    'invalid_pin',
    'pin_try_exceeded',
    'offline_pin_required',
    'online_or_offline_pin_required',
    'revocation_of_all_authorizations',
    'revocation_of_authorization',
    'stop_payment_order',
    'testmode_decline',
    'resource_missing',
    'payment_method_unexpected_state',
  ],
}

const DECLINE_BY_STRIPE_CODE = new Map(
  Object.entries(STRIPE_CODES_BY_DECLINE).flatMap(([ours, theirs]) =>
    theirs.map((stripeCode) => [stripeCode, ours] as const),
  ),
)
/** Code for Stripe codes that are not listed: declined by the bank. */
const DEFAULT_DECLINE_CODE: DeclineCode = '4222'

export interface CardDecline {
  readonly state: 'declined'
  readonly code: DeclineCode
  readonly errors: readonly FieldProblem[]
}

/**
 * Returns the decline for the buyer. Prefers Stripe's decline code, because it is more specific than Stripe's error
 * code.
 */
export function toDecline(problem: Pick<StripeProblem, 'code' | 'declineCode'>, isWallet: boolean): CardDecline {
  const name = [problem.declineCode, problem.code].find((candidate) => DECLINE_BY_STRIPE_CODE.has(candidate)) ?? ''
  const code = (DECLINE_BY_STRIPE_CODE.get(name) ?? DEFAULT_DECLINE_CODE) as DeclineCode
  const field = FIELD_PROBLEMS[name]
  return { state: 'declined', code: isWallet && code === '4222' ? '4224' : code, errors: field ? [field] : [] }
}
