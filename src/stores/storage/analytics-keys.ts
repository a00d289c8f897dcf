/**
 * Keys of what is measured, beside those of storage-keys.ts. What begins with `browser_` belongs to the browser and outlives a
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

/**
 * In local storage, of the analytics and experiment libraries. What the libraries name themselves begins with `AMP_`, `EXP_` or
 * `amp-exp-`, here and in session storage (`AMP_remote_config_…`, `AMP_PAGE_VIEW`, `EXP_sent_…`, `EXP_unsent_…`): all of it is
 * the user's, so that a sign-out clears it.
 */
export const MEASURE_KEYS = {
  /** `1`: nothing is measured in this browser, as somebody has chosen here; `ended`: because test tracking is over. */
  optOut: 'browser_analytics_opt_out',
  /** When test tracking ends in this browser, ms UTC. */
  due: 'browser_analytics_opt_out_due',
  /** The last variant of somebody who is not signed in, after the key of its experiment and a space. */
  variant: 'browser_experiment_variant',
  /** The same of who is signed in. */
  userVariant: 'experiment_variant',
  /** Whom the kept answers of the experiment library are about: an account, else a browser. */
  person: 'experiment_person',
  /** In session storage: what was shown and told of, one a line. */
  exposed: 'experiment_exposed',
  /** What was sent last, as JSON. */
  sent: 'analytics_sent',
  /** In session storage: when the sign-in was begun that was told last, ms UTC. */
  begun: 'analytics_begun',
  /** Of the library, as JSON: `deviceId`, `sessionId` (ms UTC), `userId` of who was signed in. */
  identity: 'AMP_web-portal',
  /** Of the library, as JSON: events that wait. */
  unsent: 'AMP_unsent_web-portal',
} as const
