import { describe, expect, test } from 'vitest'
import {
  TEST_CARD_NUMBERS,
  findTestOutcome,
  TEST_CARDS,
  TEST_WALLETS,
} from '../../../../../../contract/billing/test-cards.ts'
import {
  toStoredCard,
  findCardProblems,
  cardParser,
  readCardValues,
} from '../../../../../../provider/billing/payment/card-page/card-form-values.ts'
import {
  createCardValidator,
  createCardParser,
  type CardField,
  type CardValues,
} from '../../../../../../provider/billing/payment/card-page/card-validation.ts'
import { CARD_PAGE_SCRIPT } from '../../../../../../provider/billing/payment/card-page/browser-script.ts'
import { areDistinct, extractFacts } from '../../../../../support/facts.ts'

const NOW = Date.UTC(2026, 10, 22)
const VALID_CARD: CardValues = {
  number: '4242 4242 4242 4242',
  ends: '08 / 28',
  code: '123',
  name: 'Maya Reyes',
  country: 'US',
  street: '48 Alder Lane',
  city: 'Springfield',
  state: 'IL',
  zip: '62704',
}
const toCase =
  (field: CardField) =>
  (value: string): [CardField, string] => [field, value]
const findProblemsWith = (change: Partial<CardValues>) => findCardProblems({ ...VALID_CARD, ...change }, NOW)

describe('entered card', () => {
  test('is valid, and its brand, last four digits, expiry and address are stored', () => {
    expect(findCardProblems(VALID_CARD, NOW)).toEqual({})
    expect(toStoredCard(VALID_CARD)).toEqual({
      type: 'card',
      brand: 'visa',
      last_four: '4242',
      name: '',
      ends: { month: 8, year: 2028 },
      address: ['Maya Reyes', '48 Alder Lane', 'Springfield, IL 62704', 'United States'],
    })
  })

  test.each<[CardField, string]>([
    ...['', '4242 4242 4242 4241', '4242', '４２４２ 4242 4242 4242', '4111 1111 1111 1111'].map(toCase('number')),
    ...['', '13 / 28', '10 / 26', '10 / 2099'].map(toCase('ends')),
    ...['12', '12a'].map(toCase('code')),
    ...[' ', 'x'.repeat(81)].map(toCase('name')),
    ['country', 'XX'],
    ['street', ''],
    ['city', ''],
    ...['', 'ZZ', 'ON'].map(toCase('state')),
    ['zip', '6270'],
  ])('reports at %s the problem with %j', (field, value) => {
    expect(findProblemsWith({ [field]: value })).toHaveProperty(field)
  })

  test('explains a problem with the number or the expiry by its reason', () => {
    const listProblems = (field: CardField, values: string[]) =>
      values.map((value) => findProblemsWith({ [field]: value })[field] ?? '')
    const number = listProblems('number', ['', '4242 4242 4242 4241', '4111 1111 1111 1111'])
    expect(areDistinct(number)).toBe(true)
    const mistakes = listProblems('number', ['4242', '４２４２ 4242 4242 4242'])
    expect(mistakes).toEqual([number[1], number[1]])
    const ends = listProblems('ends', ['', '10 / 26', '10 / 2099'])
    expect(areDistinct(ends)).toBe(true)
    expect(listProblems('ends', ['13 / 28'])).toEqual([ends[0]])
  })

  test('reports how many digits and characters are allowed', () => {
    const problems = findProblemsWith({ code: '12', name: 'x'.repeat(81), zip: '6270' })
    expect(Object.entries(problems).map(([field, text]) => [field, ...extractFacts(text)])).toEqual([
      ['code', '3'],
      ['name', '80'],
      ['zip', '5'],
    ])
  })

  test('is valid until the last day of its expiry month', () => {
    expect(findProblemsWith({ ends: '11 / 26' })).toEqual({})
    expect(['0828', '8/28', '08-2028', '8 28'].map(cardParser.endsOf)).toEqual(Array(4).fill({ month: 8, year: 2028 }))
  })

  test('requires a four-digit code for Amex and an alphanumeric postal code in Canada', () => {
    expect(findProblemsWith({ number: '3782 822463 10005' })).toEqual({ code: expect.stringMatching(/\b4\b/) })
    expect(findProblemsWith({ number: '378282246310005', code: '1234' })).toEqual({})
    expect(findProblemsWith({ country: 'CA', state: 'ON', zip: 'K1A 0B1' })).toEqual({})
    expect(findProblemsWith({ country: 'CA', state: 'ON' })).toEqual({ zip: expect.stringContaining('K1A 0B1') })
  })

  test('is shown in digit groups, and with its brand as soon as it is known', () => {
    expect(['42424242424242424', '378282246310005', '4242-4', ''].map(cardParser.grouped)).toEqual([
      '4242 4242 4242 4242 4',
      '3782 822463 10005',
      '4242 4',
      '',
    ])
    expect(['4', '51', '2221', '34', '6011', '9', ''].map(cardParser.brandOf)).toEqual([
      'visa',
      'mastercard',
      'mastercard',
      'amex',
      'discover',
      '',
      '',
    ])
  })

  test('from a form without a field counts as empty there', () => {
    expect(findCardProblems(readCardValues(new URLSearchParams()), NOW)).toMatchObject(findProblemsWith({ number: '' }))
  })
})

describe('listed test cards', () => {
  test.each(TEST_CARDS.map((card) => [card.number, card] as const))(
    '%s passes Luhn and maps to its outcome',
    (_, card) => {
      expect(findProblemsWith({ number: card.number, code: card.number.startsWith('37') ? '1234' : '123' })).toEqual({})
      const last_four = card.number.replaceAll(' ', '').slice(-4)
      expect(findTestOutcome({ type: 'card', last_four, name: '' })).toBe(card.outcome)
      expect(/^\d{4}$/.test(card.outcome) ? last_four : card.outcome).toBe(card.outcome)
    },
  )

  test('cover each payment code, one by a wallet, and the unusual outcomes', () => {
    const outcomes = [...TEST_CARDS, ...TEST_WALLETS].map(({ outcome }) => outcome)
    for (const code of [
      '0000',
      '4220',
      '4221',
      '4222',
      '4223',
      '4224',
      '4225',
      '4226',
      'confirms',
      'slow',
      'lost',
      'pays',
    ])
      expect(outcomes).toContain(code)
    for (const { name, outcome } of TEST_WALLETS)
      expect(findTestOutcome({ type: 'wallet', last_four: '', name })).toBe(outcome)
  })
})

test('the card page script applies the same rules and can be parsed by a browser', () => {
  expect(() => new Function(CARD_PAGE_SCRIPT)).not.toThrow()
  const pageScript = new Function(
    `${CARD_PAGE_SCRIPT.slice(0, CARD_PAGE_SCRIPT.indexOf('const NAMES'))}; return { reader, judge }`,
  )() as {
    reader: ReturnType<typeof createCardParser>
    judge: ReturnType<typeof createCardValidator>
  }
  const serverRules = createCardValidator(createCardParser(), TEST_CARD_NUMBERS)
  const now = { year: 2026, month: 11 }
  for (const number of ['', '4242424242424242', '4111111111111111', '123'])
    expect(pageScript.judge.problemOf('number', { ...VALID_CARD, number }, now)).toBe(
      serverRules.problemOf('number', { ...VALID_CARD, number }, now),
    )
  expect(pageScript.reader.grouped('378282246310005')).toBe('3782 822463 10005')
})
