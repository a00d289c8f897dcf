/** Period of all rate limits, s. The first request after a period always passes. */
export const RATE_PERIOD_S = 60

/**
 * Requests per client address and minute (OPEN-90), for sign-in starts, `/api`, `/m`, `/t/errors` and the rest of `/t`.
 * One household may share an address. `MEASURED`: a page sends three requests on load and at most six a minute.
 * Deployments use the platform's rate limit bindings of these names; a local deployment counts in memory.
 */
export const RATE_LIMITS = { SIGN_INS: 120, REQUESTS: 6000, PICTURES: 12_000, REPORTS: 60, MEASURED: 600 } as const

export type RateLimitName = keyof typeof RATE_LIMITS
