/**
 * Storage keys of the device collector; storage-keys.ts lists the others. Keys that start with `browser_` belong to the
 * browser and survive a sign-out (OPEN-148).
 */
export const COLLECTOR_KEYS = {
  /** Name of the first-party cookie. */
  cookie: 'browser_first_party',
  /** Key of the same value in local storage. */
  local: 'browser_first_party',
  /** In session storage: the last reported session. */
  session: 'browser_collector_session',
  /** In local storage, for all tabs: session of the last run and time of its next allowed run, as JSON. */
  due: 'browser_collector_due',
} as const

/**
 * Keys of the analytics and experiment libraries, in local storage. The libraries' own keys begin with `AMP_`, `EXP_`
 * or `amp-exp-`, also in session storage (`AMP_remote_config_…`, `AMP_PAGE_VIEW`, `EXP_sent_…`, `EXP_unsent_…`). They
 * belong to the user: a sign-out clears them.
 */
export const MEASURE_KEYS = {
  /** `1`: opted out in this browser; `ended`: test tracking has ended. */
  optOut: 'browser_analytics_opt_out',
  /** End of test tracking in this browser, ms UTC. */
  due: 'browser_analytics_opt_out_due',
  /** Last variant while signed out, stored as the experiment's key, a space and the variant. */
  variant: 'browser_experiment_variant',
  /** Last variant of the signed-in user, in the same format. */
  userVariant: 'experiment_variant',
  /** Id of the account, otherwise of the browser, that the experiment library's cached responses belong to. */
  person: 'experiment_person',
  /** In session storage: reported exposures, one per line. */
  exposed: 'experiment_exposed',
  /** Last sent events, as JSON. */
  sent: 'analytics_sent',
  /** In session storage: start of the last reported sign-in, ms UTC. */
  begun: 'analytics_begun',
  /** Written by the library, as JSON: `deviceId`, `sessionId` (ms UTC), `userId` of the signed-in user. */
  identity: 'AMP_web-portal',
  /** Written by the library, as JSON: unsent events. */
  unsent: 'AMP_unsent_web-portal',
} as const
