import { LISTED_NUMBERS } from '../../../../contract/billing/test-cards.ts'
import { CARD_FIELDS, cardJudge, cardReader, type CardField, type CardValues } from './card-validation.ts'
import { isStateInCountry } from './countries-and-states.ts'

/** A card as it is kept: the number and its code are gone. */
export interface KeptCard {
  readonly type: 'card'
  readonly brand: string
  readonly last_four: string
  readonly name: ''
  readonly ends: { readonly month: number; readonly year: number }
  readonly address: readonly string[]
}

export type CardProblems = Partial<Record<CardField, string>>

export const reader = cardReader()
export const judge = cardJudge(reader, LISTED_NUMBERS)

export const NO_VALUES = Object.fromEntries(CARD_FIELDS.map((field) => [field, ''])) as CardValues

/** What a form holds of the fields; what is not text counts as nothing. */
export function readCardValues(form: URLSearchParams): CardValues {
  return Object.fromEntries(CARD_FIELDS.map((field) => [field, form.get(field) ?? ''])) as CardValues
}

/** What is wrong, field by field. `now` in ms UTC. */
export function findCardProblems(values: CardValues, now: number): CardProblems {
  const date = new Date(now)
  const month = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1 }
  const all = CARD_FIELDS.flatMap((field) => {
    const problem = judge.problemOf(field, values, month)
    return problem === '' ? [] : [[field, problem] as const]
  })
  const problems: CardProblems = Object.fromEntries(all)
  if (problems.state === undefined && !isStateInCountry(values.country, values.state))
    problems.state = 'Choose the state.'
  return problems
}

/** What is kept of a card that has no problem. */
export function toStoredCard(values: CardValues): KeptCard {
  const ends = reader.endsOf(values.ends)
  if (ends === null) throw new Error('A card with a problem is not kept.')
  return {
    ...{ type: 'card', name: '', ends, brand: reader.brandOf(values.number) },
    last_four: reader.digitsOf(values.number).slice(-4),
    address: [
      values.name.trim(),
      values.street.trim(),
      `${values.city.trim()}, ${values.state} ${values.zip.trim().toUpperCase()}`,
      ...(values.country === 'US' ? [] : ['Canada']),
    ],
  }
}
