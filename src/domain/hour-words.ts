import { hourLabel, LAST_HOUR } from './date-range.ts'

/** The label of an hour that ends a choice: 23 is the last minute of the day, in both ways of telling hours (EVENT-14). */
export const endLabel = (hour: number): string => (hour === LAST_HOUR ? '23:59 (11:59 PM)' : hourLabel(hour))
