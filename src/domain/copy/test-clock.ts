import { fullDayLabel } from '../time/date-formats.ts'

/** Notice on account pages if the billing test clock is `aheadMs` ahead; '' if it is not. `now`: real time. */
export const testClockText = (aheadMs: number, now: number): string =>
  aheadMs <= 0 ? '' : `The clock of plans and bills was moved: it is ${fullDayLabel(now + aheadMs)} there.`
