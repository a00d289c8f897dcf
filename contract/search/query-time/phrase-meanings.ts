/** Meanings of time words, and the notation of the tables in phrase-tables.ts. */

export const PARTS_OF_DAY = {
  morning: [5 * 60, 12 * 60],
  noon: [11 * 60 + 30, 13 * 60 + 30],
  afternoon: [12 * 60, 18 * 60],
  evening: [17 * 60, 23 * 60],
  night: [20 * 60, 6 * 60],
  midnight: [23 * 60, 60],
} as const
export type PartOfDay = keyof typeof PARTS_OF_DAY

export type TimeUnit = 'minute' | 'hour' | 'day' | 'week'

export type TimeMeaning =
  | { readonly is: 'day'; readonly ago: number }
  | { readonly is: 'part'; readonly part: PartOfDay }
  /** `this morning`, `last night`: a day and a part of it. */
  | { readonly is: 'day-part'; readonly ago: number; readonly part: PartOfDay }
  | { readonly is: 'weekday'; readonly weekday: number }
  | { readonly is: 'month'; readonly month: number }
  | { readonly is: 'number'; readonly number: number }
  | { readonly is: 'unit'; readonly unit: TimeUnit }
  | { readonly is: 'week'; readonly ago: number }
  | { readonly is: 'weekend'; readonly ago: number }
  | { readonly is: 'month-of'; readonly ago: number }
  | { readonly is: Qualifier }

export type Qualifier =
  /** `3 hours ago`, `vor 3 Stunden`. */
  | 'ago'
  /** `the last 3 hours`. */
  | 'past'
  | 'between'
  | 'and'
  | 'from'
  | 'to'
  | 'after'
  | 'before'
  /** `until Monday`: the range includes the named day. */
  | 'until'
  | 'around'
  /** Precedes a time without changing its meaning: `at`, `on`, `in the`. */
  | 'at'
  /** Follows a time and does not change its meaning. */
  | 'behind'
  | 'o-clock'
  | 'am'
  | 'pm'

export const splitPhrases = (phrases: string) => phrases.split(',').map((phrase) => phrase.trim())
/** Meaning and its phrases, separated by commas. */
export type PhraseRow = readonly [TimeMeaning, string]
export const day = (ago: number, phrases: string): PhraseRow => [{ is: 'day', ago }, phrases]
export const part = (name: PartOfDay, phrases: string): PhraseRow => [{ is: 'part', part: name }, phrases]
export const dayPart = (ago: number, name: PartOfDay, phrases: string): PhraseRow => [
  { is: 'day-part', ago, part: name },
  phrases,
]
export const unit = (name: TimeUnit, phrases: string): PhraseRow => [{ is: 'unit', unit: name }, phrases]
export const week = (ago: number, phrases: string): PhraseRow => [{ is: 'week', ago }, phrases]
export const weekend = (ago: number, phrases: string): PhraseRow => [{ is: 'weekend', ago }, phrases]
export const relativeMonth = (ago: number, phrases: string): PhraseRow => [{ is: 'month-of', ago }, phrases]
export const qualifier = (is: Qualifier, phrases: string): PhraseRow => [{ is }, phrases]
/** Returns table rows for the seven weekdays, starting with Sunday. `/` separates spellings of the same day. */
export const weekdays = (phrases: string): PhraseRow[] =>
  splitPhrases(phrases).flatMap((spellings, weekday) =>
    spellings.split('/').map((phrase): PhraseRow => [{ is: 'weekday', weekday }, phrase]),
  )
export const months = (phrases: string): PhraseRow[] =>
  splitPhrases(phrases).flatMap((spellings, n) =>
    spellings.split('/').map((phrase): PhraseRow => [{ is: 'month', month: n + 1 }, phrase]),
  )
/** Returns table rows for number words, counting up from one. `/` separates spellings of the same number. */
export const numbers = (phrases: string): PhraseRow[] =>
  splitPhrases(phrases).flatMap((spellings, n) =>
    spellings.split('/').map((phrase): PhraseRow => [{ is: 'number', number: n + 1 }, phrase]),
  )
