/** Period of all rate limits, s. The first request after a period always passes. */
export const RATE_PERIOD_S = 60

/**
 * Requests per address and period (OPEN-90): sign-in starts, `/api`, `/m`, error reports, the rest of `/t`. `REQUESTS`
 * and `PICTURES` are high, because a household behind one address scrolls through images on several screens.
 * `MEASURED`: a page sends three requests when opened and at most six batches a minute. 600 are enough for fifty open
 * pages and a hundred pages that are opened in the same minute. A deployment binds the platform's counters to these
 * names; a local deployment counts in its only isolate.
 */
export const RATE_LIMITS = { SIGN_INS: 120, REQUESTS: 6000, PICTURES: 12_000, REPORTS: 60, MEASURED: 600 } as const

export type RateLimit = keyof typeof RATE_LIMITS
