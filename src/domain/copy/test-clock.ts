import { fullDayLabel } from '../time/date-formats.ts'

/** Notice on account pages that the test clock is `aheadMs` ahead; '' if it is not ahead. `now`: real time, ms UTC. */
export const testClockText = (aheadMs: number, now: number): string =>
  aheadMs <= 0 ? '' : `The test clock for plans and invoices is set to ${fullDayLabel(now + aheadMs)}.`
