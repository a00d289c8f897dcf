/**
 * Day and hour ranges of docs/requirements.md. QUICK_RANGES_DAYS: start of each quick range as the number of days
 * before today; the key is the length of the range in days. In a separate file, because most pages do not load these
 * ranges.
 */

export const QUICK_RANGES_DAYS = { 14: 13, 60: 59 } as const
/** End time of a single day (EVENT-15). Pages use only its hour: the end hour 23 means 23:59:59.999 (OPEN-59). */
export const SINGLE_DAY_END = '23:29'
export const DEFAULT_HOURS = [0, 23] as const
