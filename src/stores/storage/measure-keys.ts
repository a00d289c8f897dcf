/**
 * Keys of what is measured, beside those of storage.ts. What begins with `browser_` belongs to the browser and outlives a
 * sign-out (OPEN-148); the others are the user's.
 */
export const MEASURE_KEYS = {
  /** `1`: nothing is measured in this browser. */
  optOut: 'browser_analytics_opt_out',
  /** ms UTC at which test tracking ends in this browser. */
  optOutDue: 'browser_analytics_opt_out_due',
  /** The last variants of somebody who is not signed in. */
  variants: 'browser_experiment_variants',
  /** The collector's first-party value. */
  firstParty: 'browser_first_party',
  /** The last variants of who is signed in. */
  userVariants: 'experiment_variants',
} as const

/** In session storage: the session that the collector ran for last, and what was sent of this tab. */
export const MEASURE_TAB_KEYS = { collector: 'collector_session', sent: 'analytics_sent' } as const
