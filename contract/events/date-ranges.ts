/** Ranges of days and hours that rows of docs/requirements.md name; pages for everybody need none of them. */

export const QUICK_RANGES_DAYS = { 14: 13, 60: 59 } as const
/** End of a single day by name; a question for it runs to 23:59:59.999 (OPEN-59). */
export const SINGLE_DAY_END = '23:29'
export const DEFAULT_HOURS = [0, 23] as const
