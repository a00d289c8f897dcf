import type { FieldProblem } from '../../../../contract/billing/money.ts'
import type { StripeProblem } from './client.ts'

/** Codes of contract/wire/error-codes.ts with which a payment is declined. */
export type DeclineCode = '0000' | '4220' | '4221' | '4222' | '4223' | '4224' | '4225' | '4226'

const NUMBER = { field: 'number', text: 'The bank does not know this number.' }
const ENDS = { field: 'ends', text: 'The bank has another date for it.' }
const SECURITY_CODE = { field: 'code', text: 'The bank has another security code for it.' }

/** Fields that somebody can mend, by the code that names them: what is told with `0000`. */
const FIELDS: Readonly<Record<string, FieldProblem>> = {
  incorrect_number: NUMBER,
  invalid_number: NUMBER,
  invalid_expiry_month: ENDS,
  invalid_expiry_year: ENDS,
  incorrect_cvc: SECURITY_CODE,
  invalid_cvc: SECURITY_CODE,
}

/**
 * What Stripe says of a decline, by what is told to the buyer. All decline codes of cards (docs.stripe.com/declines/codes) and the
 * error codes that come without one.
 *
 * | code | told where                                                                                       |
 * | ---- | ------------------------------------------------------------------------------------------------ |
 * | 0000 | something typed is wrong, and which field is known                                               |
 * | 4220 | the buyer was not proven: 3-D Secure failed, was left or was not asked; the card is over         |
 * | 4221 | the card has no money left, or no more of its limit                                              |
 * | 4222 | the bank says no and not why; lost, stolen and suspected cards too: what is suspected is not said |
 * | 4223 | the billing address is not the bank's                                                            |
 * | 4224 | as 4222, where a wallet paid                                                                     |
 * | 4225 | the bank could not work on it now: the same may pass later                                       |
 * | 4226 | this card never pays this: its kind, its currency, its account, its PIN, or it is not kept       |
 */
export const DECLINES: Readonly<Record<DeclineCode, readonly string[]>> = {
  '0000': Object.keys(FIELDS),
  '4220': [
    ...['authentication_required', 'authentication_not_handled', 'mobile_device_authentication_required'],
    ...['authentication_failure', 'payment_intent_authentication_failure', 'payment_intent_payment_attempt_expired'],
    ...['three_d_secure_authentication_not_supported', 'three_d_secure_authentication_upstream_error'],
    ...['expired_card', 'expired_payment_method'],
  ],
  '4221': ['insufficient_funds', 'card_velocity_exceeded', 'withdrawal_count_limit_exceeded'],
  '4222': [
    ...['call_issuer', 'card_declined', 'do_not_honor', 'do_not_try_again', 'generic_decline', 'no_action_taken'],
    ...['fraudulent', 'lost_card', 'merchant_blacklist', 'pickup_card', 'restricted_card', 'security_violation'],
    ...['stolen_card', 'transaction_not_allowed', 'not_permitted', 'service_not_allowed'],
    ...['highest_risk_level', 'elevated_risk_level', 'rule', 'previously_declined_do_not_retry'],
  ],
  '4223': ['incorrect_address', 'incorrect_zip', 'incorrect_postal_code', 'postal_code_invalid'],
  '4224': ['payment_method_customer_decline', 'payment_method_provider_decline'],
  '4225': [
    ...['approve_with_id', 'duplicate_transaction', 'invalid_amount', 'issuer_not_available', 'processing_error'],
    ...['reenter_transaction', 'try_again_later', 'card_decline_rate_limit_exceeded'],
  ],
  '4226': [
    ...['card_not_supported', 'currency_not_supported', 'invalid_account', 'new_account_information_available'],
    ...['incorrect_pin', 'invalid_pin', 'pin_try_exceeded', 'offline_pin_required', 'online_or_offline_pin_required'],
    ...['revocation_of_all_authorizations', 'revocation_of_authorization', 'stop_payment_order'],
    ...['testmode_decline', 'resource_missing', 'payment_method_unexpected_state'],
  ],
}

const CODES = new Map(
  Object.entries(DECLINES).flatMap(([ours, theirs]) => theirs.map((stripeCode) => [stripeCode, ours] as const)),
)
/** What nobody has listed is a bank that says no. */
const DEFAULT: DeclineCode = '4222'

export interface Declined {
  readonly state: 'declined'
  readonly code: DeclineCode
  readonly errors: readonly FieldProblem[]
}

/** What is told of a decline. The decline code says more than the error code that it comes with. */
export function toDecline(problem: Pick<StripeProblem, 'code' | 'declineCode'>, isWallet: boolean): Declined {
  const name = [problem.declineCode, problem.code].find((candidate) => CODES.has(candidate)) ?? ''
  const code = (CODES.get(name) ?? DEFAULT) as DeclineCode
  const field = FIELDS[name]
  return { state: 'declined', code: isWallet && code === '4222' ? '4224' : code, errors: field ? [field] : [] }
}
