import { fullDay } from '../time/date-formats.ts'

/** Notice on account pages if the billing test clock is `ahead` ms; '' if it is not. `now`: real time. */
export const testClockText = (ahead: number, now: number): string =>
  ahead <= 0 ? '' : `The clock of plans and bills was moved: it is ${fullDay(now + ahead)} there.`
