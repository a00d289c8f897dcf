import { fullDay } from '../time/date-formats.ts'

/** What account pages say where the clock of plans and bills stands so far ahead, ms; '' where it does not. `now`: real time. */
export const testClockText = (ahead: number, now: number): string =>
  ahead <= 0 ? '' : `The clock of plans and bills was moved: it is ${fullDay(now + ahead)} there.`
