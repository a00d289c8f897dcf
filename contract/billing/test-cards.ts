/**
 * Card numbers and wallets that the embedded gateway accepts. Each number passes the Luhn check and belongs to no real
 * card. Its last digits identify the result.
 */

/**
 * Result of a charge. A numeric code declines the charge. `confirms`: the bank requires a confirmation before the
 * method is saved; later charges succeed. `slow`: the charge stays pending for `SLOW_RESPONSE_MS`. `lost`: the charge
 * is authorized, but the response is lost.
 */
export type TestOutcome =
  'pays' | 'confirms' | 'slow' | 'lost' | '0000' | '4220' | '4221' | '4222' | '4223' | '4224' | '4225' | '4226'

export interface TestCard {
  readonly number: string
  readonly outcome: TestOutcome
  readonly does: string
}

export const TEST_CARDS: readonly TestCard[] = [
  { number: '4242 4242 4242 4242', outcome: 'pays', does: 'Succeeds' },
  { number: '5555 5555 5555 4444', outcome: 'pays', does: 'Succeeds, Mastercard' },
  { number: '3782 822463 10005', outcome: 'pays', does: 'Succeeds, Amex, 4-digit code' },
  { number: '4000 0000 0002 0000', outcome: '0000', does: 'Shows field errors, 0000' },
  { number: '4000 0000 0008 4220', outcome: '4220', does: 'Details not verified, 4220' },
  { number: '4000 0000 0007 4221', outcome: '4221', does: 'Insufficient funds, 4221' },
  { number: '4000 0000 0006 4222', outcome: '4222', does: 'Not verified, try another method, 4222' },
  { number: '4000 0000 0005 4223', outcome: '4223', does: 'Address not verified, 4223' },
  { number: '4000 0000 0003 4225', outcome: '4225', does: 'Payment error, 4225' },
  { number: '4000 0000 0002 4226', outcome: '4226', does: 'Payment method error, 4226' },
  { number: '4000 0000 0009 3155', outcome: 'confirms', does: 'Requires confirmation' },
  { number: '4000 0000 0004 2020', outcome: 'slow', does: 'Responds after 20 seconds' },
  { number: '4000 0000 0006 9999', outcome: 'lost', does: 'Response is lost' },
]

export interface TestWallet {
  readonly id: 'pays' | 'declined'
  readonly name: string
  readonly outcome: TestOutcome
  readonly does: string
}

export const TEST_WALLETS: readonly [TestWallet, ...TestWallet[]] = [
  { id: 'pays', name: 'Test wallet', outcome: 'pays', does: 'Succeeds' },
  { id: 'declined', name: 'Declined test wallet', outcome: '4224', does: 'Wallet declined, 4224' },
]

export const SLOW_RESPONSE_MS = 20_000

const extractDigits = (number: string): string => number.replaceAll(/\D/g, '')

export const TEST_CARD_NUMBERS: readonly string[] = TEST_CARDS.map(({ number }) => extractDigits(number))

/**
 * Returns the result of a charge to a saved method: the result of the test card with these last four digits, or of the
 * test wallet with this name. Any other method is declined with 4226.
 */
export function findTestOutcome(method: { type: string; last_four: string; name: string }): TestOutcome {
  const found =
    method.type === 'wallet'
      ? TEST_WALLETS.find(({ name }) => name === method.name)
      : TEST_CARDS.find(({ number }) => extractDigits(number).endsWith(method.last_four))
  return found?.outcome ?? '4226'
}
