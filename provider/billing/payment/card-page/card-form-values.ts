import { TEST_CARD_NUMBERS } from '../../../../contract/billing/test-cards.ts'
import {
  CARD_FIELDS,
  createCardValidator,
  createCardParser,
  type CardField,
  type CardValues,
} from './card-validation.ts'
import { COUNTRIES, isStateInCountry } from './countries-and-states.ts'

/** Card as it is stored, without number and security code. */
export interface StoredCard {
  readonly type: 'card'
  readonly brand: string
  readonly last_four: string
  readonly name: ''
  readonly ends: { readonly month: number; readonly year: number }
  readonly address: readonly string[]
}

export type CardProblems = Partial<Record<CardField, string>>

export const cardParser = createCardParser()
export const cardValidator = createCardValidator(cardParser, TEST_CARD_NUMBERS)

export const EMPTY_CARD_VALUES = Object.fromEntries(CARD_FIELDS.map((field) => [field, ''])) as CardValues

/**
 * Returns the address fields of the lines of a stored card (`toStoredCard`); null if the lines do not have this form,
 * for example those of another gateway. Cards of earlier versions have no line for the United States.
 */
export function parseStoredAddress([, street, place = '', country = 'United States']: readonly string[]) {
  const [, city, state, zip] = /^(.+), ([A-Z]{2}) (.+)$/.exec(place) ?? []
  if (!street || !city || !state || !zip) return null
  return { street, city, state, zip, country: country === 'Canada' ? 'CA' : 'US' }
}

export function readCardValues(form: URLSearchParams): CardValues {
  return Object.fromEntries(CARD_FIELDS.map((field) => [field, form.get(field) ?? ''])) as CardValues
}

export function findCardProblems(values: CardValues, now: number): CardProblems {
  const date = new Date(now)
  const month = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1 }
  const all = CARD_FIELDS.flatMap((field) => {
    const problem = cardValidator.problemOf(field, values, month)
    return problem === '' ? [] : [[field, problem] as const]
  })
  const problems: CardProblems = Object.fromEntries(all)
  if (problems.state === undefined && !isStateInCountry(values.country, values.state))
    problems.state = 'Choose a state.'
  return problems
}

/** Returns the stored fields of a valid card. Throws if the expiry is invalid. */
export function toStoredCard(values: CardValues): StoredCard {
  const ends = cardParser.endsOf(values.ends)
  if (ends === null) throw new Error("A card with an invalid expiration date can't be stored.")
  return {
    type: 'card',
    name: '',
    ends,
    brand: cardParser.brandOf(values.number),
    last_four: cardParser.digitsOf(values.number).slice(-4),
    address: [
      values.name.trim(),
      values.street.trim(),
      `${values.city.trim()}, ${values.state} ${values.zip.trim().toUpperCase()}`,
      COUNTRIES[values.country === 'CA' ? 'CA' : 'US'],
    ],
  }
}
