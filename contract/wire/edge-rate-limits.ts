/** Period of all limits, s; the next request after it always passes. */
export const RATE_PERIOD_S = 60

/**
 * Requests per address and period (OPEN-90): starting sign-ins, `/api`, `/m`, error reports, the rest of `/t`. The
 * broad limits are wide, for machines: a household behind one address scrolls through images on several screens. A page
 * sends at most six batches a minute, plus three requests when opened: 600 cover fifty open pages and a hundred opened
 * in that minute. A deployment binds the platform's counters to these names; at home the one isolate counts.
 */
export const RATE_LIMITS = { SIGN_INS: 120, REQUESTS: 6000, PICTURES: 12_000, REPORTS: 60, MEASURED: 600 } as const

export type RateLimit = keyof typeof RATE_LIMITS
