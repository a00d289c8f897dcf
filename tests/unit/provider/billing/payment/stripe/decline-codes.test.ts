import { describe, expect, test } from 'vitest'
import { findCatalogEntry } from '../../../../../../contract/wire/error-codes.ts'
import { STRIPE_CODES_BY_DECLINE, toDecline } from '../../../../../../provider/billing/payment/stripe/decline-codes.ts'

const makeDecline = (declineCode: string, code = 'card_declined') => ({ declineCode, code })
const getCode = (declineCode: string, isWallet = false) => toDecline(makeDecline(declineCode), isWallet).code

/** Every card decline code in Stripe’s documentation, in the order of that documentation. */
const DOCUMENTED_DECLINE_CODES =
  `authentication_required authentication_not_handled approve_with_id call_issuer card_not_supported
  card_velocity_exceeded currency_not_supported do_not_honor do_not_try_again duplicate_transaction expired_card fraudulent
  generic_decline incorrect_address incorrect_cvc incorrect_number incorrect_pin incorrect_zip insufficient_funds invalid_account
  invalid_amount invalid_cvc invalid_expiry_month invalid_expiry_year invalid_number invalid_pin issuer_not_available lost_card
  merchant_blacklist mobile_device_authentication_required new_account_information_available no_action_taken not_permitted
  offline_pin_required online_or_offline_pin_required pickup_card pin_try_exceeded processing_error reenter_transaction
  restricted_card revocation_of_all_authorizations revocation_of_authorization security_violation service_not_allowed stolen_card
  stop_payment_order testmode_decline transaction_not_allowed try_again_later withdrawal_count_limit_exceeded`
    .split(/\s+/)
    .filter(Boolean)

describe('Stripe decline', () => {
  const listed = Object.values(STRIPE_CODES_BY_DECLINE).flat()

  test('maps to a catalog code for every documented decline code, each listed once', () => {
    expect(DOCUMENTED_DECLINE_CODES).toHaveLength(50)
    expect(DOCUMENTED_DECLINE_CODES.filter((declineCode) => !listed.includes(declineCode))).toEqual([])
    expect(new Set(listed).size).toBe(listed.length)
    for (const code of Object.keys(STRIPE_CODES_BY_DECLINE)) expect(findCatalogEntry(code)).toBeDefined()
  })

  test.each(
    Object.entries(STRIPE_CODES_BY_DECLINE).flatMap(([code, theirs]) =>
      theirs.map((declineCode) => [declineCode, code]),
    ),
  )('%s maps to %s, as a decline code and as an error code alone', (theirs, code) => {
    expect(toDecline(makeDecline(theirs), false)).toMatchObject({ state: 'declined', code })
    expect(toDecline({ declineCode: '', code: theirs }, false).code).toBe(code)
  })

  test('names the field only if it is known', () => {
    const listFields = (declineCode: string) =>
      toDecline(makeDecline(declineCode), false).errors.map(({ field }) => field)
    expect([listFields('incorrect_number'), listFields('invalid_expiry_year'), listFields('incorrect_cvc')]).toEqual([
      ['number'],
      ['ends'],
      ['code'],
    ])
    expect(listed.filter((declineCode) => listFields(declineCode).length > 0)).toEqual(STRIPE_CODES_BY_DECLINE['0000'])
  })

  test('does not reveal to a thief what the bank suspects', () => {
    for (const declineCode of ['stolen_card', 'lost_card', 'fraudulent', 'pickup_card'])
      expect(getCode(declineCode)).toBe(getCode('generic_decline'))
  })

  test('of a wallet gets the wallet code if the bank gives no reason', () => {
    expect([getCode('do_not_honor', true), getCode('insufficient_funds', true)]).toEqual(['4224', '4221'])
  })

  test('with an unlisted code becomes a bank decline without a reason', () => {
    expect([getCode('a_future_code'), toDecline(makeDecline('', ''), false).code]).toEqual(['4222', '4222'])
    expect(toDecline({ declineCode: 'a_future_decline_code', code: 'expired_card' }, false).code).toBe('4220')
  })
})
