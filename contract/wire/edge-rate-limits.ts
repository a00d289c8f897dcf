/** Period of all limits, s: after it, the next request is taken in any case. */
export const RATE_PERIOD_S = 60

/**
 * Requests that one address may make in a period (OPEN-90): start sign-ins, ask of `/api`, look at `/m`, report
 * errors, ask anything else of `/t` too. A household behind one address scrolls through pictures on several screens, so the broad ones are wide: they are
 * there for machines. A page sends six batches a minute at most and asks three things when it is opened, so that 600 are
 * those of fifty open pages, and of a hundred that are opened meanwhile. A deployment binds the platform's own counters under these names; at home the one isolate counts.
 */
export const RATE_LIMITS = { SIGN_INS: 120, REQUESTS: 6000, PICTURES: 12_000, REPORTS: 60, MEASURED: 600 } as const

export type RateLimit = keyof typeof RATE_LIMITS
