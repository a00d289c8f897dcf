/**
 * Period of the limits in `RATE_LIMITS`, s. The edge also sends this number in `Retry-After` when a client exceeds a
 * limit.
 */
export const RATE_PERIOD_S = 60

/**
 * Requests per client address per minute (OPEN-90). `SIGN_INS`: sign-in starts. `REQUESTS`: `/api`. `PICTURES`: `/m`.
 * `REPORTS`: `/t/errors`. `MEASURED`: `/t`, including `/t/errors`; a page sends three requests on load and at most six
 * a minute. One household may share an address. Deployments use the platform's rate limit bindings of these names; a
 * local deployment counts in memory.
 */
export const RATE_LIMITS = { SIGN_INS: 120, REQUESTS: 6000, PICTURES: 12_000, REPORTS: 60, MEASURED: 600 } as const

export type RateLimitName = keyof typeof RATE_LIMITS
