/**
 * Keys of what is measured, beside those of storage.ts. What begins with `browser_` belongs to the browser and outlives a
 * sign-out (OPEN-148).
 */
export const COLLECTOR_KEYS = {
  /** Name of the first-party cookie. */
  cookie: 'browser_first_party',
  /** The same value, in local storage. */
  local: 'browser_first_party',
  /** In session storage: the session that was told last. */
  session: 'browser_collector_session',
  /** In local storage, for all tabs: the session of the last run, and when the collector may run for it again, as JSON. */
  due: 'browser_collector_due',
} as const

/** In local storage, of the analytics and experiment libraries. Those with `AMP`, `EXP` or `amp-exp` are named by the libraries. */
export const MEASURE_KEYS = {
  /** `1`: nothing is measured in this browser. */
  optOut: 'browser_analytics_opt_out',
  /** When test tracking ends in this browser, ms UTC. */
  due: 'browser_analytics_opt_out_due',
  /** The last variant of somebody who is not signed in, as JSON. */
  variant: 'browser_experiment_variant',
  /** The last variant of who is signed in. */
  userVariant: 'experiment_variant',
  /** What was sent last, as JSON. */
  sent: 'analytics_sent',
  /** In session storage: when the sign-in was begun that was told last, ms UTC. */
  begun: 'analytics_begun',
  identity: 'AMP_web-portal',
  unsent: 'AMP_unsent_web-portal',
} as const
