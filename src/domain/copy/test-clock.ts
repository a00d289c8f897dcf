import { fullDayLabel } from '../time/date-formats.ts'

/** Notice on account pages that the test clock is `aheadMs` ahead; '' if it is not ahead. `now`: real time, ms UTC. */
export const testClockText = (aheadMs: number, now: number): string =>
  aheadMs <= 0 ? '' : `The clock of plans and bills was moved: it is ${fullDayLabel(now + aheadMs)} there.`
