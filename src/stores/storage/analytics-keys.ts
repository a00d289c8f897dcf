/**
 * Cookie name and storage keys of the device collector. Keys that start with `browser_` survive a sign-out (OPEN-148).
 */
export const COLLECTOR_KEYS = {
  cookie: 'browser_first_party',
  /** Local storage key of the value that the first-party cookie also holds. */
  local: 'browser_first_party',
  /** In session storage: the last reported session. */
  session: 'browser_collector_session',
  /**
   * In local storage, for all tabs: the session of the last run, and the time at which the next run may start, as JSON.
   */
  due: 'browser_collector_due',
} as const

/**
 * Local storage keys of analytics and the experiment. The optional libraries also use keys that begin with `AMP_`,
 * `EXP_` or `amp-exp-`, in both storages. A sign-out deletes the keys with these prefixes.
 */
export const ANALYTICS_KEYS = {
  /** `1`: opted out in this browser; `ended`: test tracking has ended. */
  optOut: 'browser_analytics_opt_out',
  /** End of test tracking in this browser, ms UTC. */
  due: 'browser_analytics_opt_out_due',
  /** Last variant while signed out: the experiment's key, a space and the variant. */
  variant: 'browser_experiment_variant',
  /** Last variant of the signed-in user, in the same format as `variant`. */
  userVariant: 'experiment_variant',
  /** Account id, or browser id while signed out, to which the experiment library's cached responses belong. */
  person: 'experiment_person',
  /** In session storage: reported exposures, one per line. */
  exposed: 'experiment_exposed',
  /** Last sent events, as JSON. */
  sent: 'analytics_sent',
  /** In session storage: start of the last reported sign-in, ms UTC. */
  begun: 'analytics_begun',
  /**
   * As JSON in the library's format: `deviceId`, `sessionId` and `lastEventTime` (ms UTC), `userId` of the signed-in
   * user.
   */
  identity: 'AMP_web-portal',
  /** Prefix of one key per unsent event. The key without a suffix contains the unsent events of earlier versions. */
  unsent: 'AMP_unsent_web-portal',
} as const
