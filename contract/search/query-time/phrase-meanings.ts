/** What words of time mean, and how the tables of phrase-tables.ts are written. */

export const PARTS = {
  morning: [5 * 60, 12 * 60],
  noon: [11 * 60 + 30, 13 * 60 + 30],
  afternoon: [12 * 60, 18 * 60],
  evening: [17 * 60, 23 * 60],
  night: [20 * 60, 6 * 60],
  midnight: [23 * 60, 60],
} as const
export type Part = keyof typeof PARTS

export type Unit = 'minute' | 'hour' | 'day' | 'week'

/** What a phrase means. */
export type Meaning =
  | { readonly is: 'day'; readonly ago: number }
  | { readonly is: 'part'; readonly part: Part }
  /** This morning, last night: a day and a part of it. */
  | { readonly is: 'day-part'; readonly ago: number; readonly part: Part }
  | { readonly is: 'weekday'; readonly weekday: number }
  | { readonly is: 'month'; readonly month: number }
  | { readonly is: 'number'; readonly number: number }
  | { readonly is: 'unit'; readonly unit: Unit }
  | { readonly is: 'week'; readonly ago: number }
  | { readonly is: 'weekend'; readonly ago: number }
  | { readonly is: 'month-of'; readonly ago: number }
  | { readonly is: Sign }

/** Words that make sense of others only. */
export type Sign =
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
  /** With the day behind it. */
  | 'until'
  | 'around'
  /** Stands before a time and says nothing more: `at`, `on`, `in the`. */
  | 'at'
  /** Stands behind a time in the same way. */
  | 'behind'
  | 'o-clock'
  | 'am'
  | 'pm'

export const split = (phrases: string) => phrases.split(',').map((phrase) => phrase.trim())
/** A meaning and the phrases that have it, divided by commas. */
export type Row = readonly [Meaning, string]
export const day = (ago: number, phrases: string): Row => [{ is: 'day', ago }, phrases]
export const part = (name: Part, phrases: string): Row => [{ is: 'part', part: name }, phrases]
export const dayPart = (ago: number, name: Part, phrases: string): Row => [{ is: 'day-part', ago, part: name }, phrases]
export const unit = (name: Unit, phrases: string): Row => [{ is: 'unit', unit: name }, phrases]
export const week = (ago: number, phrases: string): Row => [{ is: 'week', ago }, phrases]
export const weekend = (ago: number, phrases: string): Row => [{ is: 'weekend', ago }, phrases]
export const relativeMonth = (ago: number, phrases: string): Row => [{ is: 'month-of', ago }, phrases]
export const sign = (is: Sign, phrases: string): Row => [{ is }, phrases]
/** Seven days from Sunday, spellings of one divided by `/`. */
export const weekdays = (phrases: string): Row[] =>
  split(phrases).flatMap((spellings, weekday) =>
    spellings.split('/').map((phrase): Row => [{ is: 'weekday', weekday }, phrase]),
  )
export const months = (phrases: string): Row[] =>
  split(phrases).flatMap((spellings, n) =>
    spellings.split('/').map((phrase): Row => [{ is: 'month', month: n + 1 }, phrase]),
  )
/** From one on. */
export const numbers = (phrases: string): Row[] =>
  split(phrases).flatMap((spellings, n) =>
    spellings.split('/').map((phrase): Row => [{ is: 'number', number: n + 1 }, phrase]),
  )
