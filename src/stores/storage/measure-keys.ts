/**
 * Keys of the device collector, beside those of storage.ts. They begin with `browser_`: they are the browser's and outlive a
 * sign-out (OPEN-148).
 */
export const COLLECTOR_KEYS = {
  /** Name of the first-party cookie. */
  cookie: 'browser_first_party',
  /** The same value, in local storage. */
  local: 'browser_first_party',
  /** In session storage: the session that was told last, and when the collector may run for it again, as JSON. */
  session: 'browser_collector_session',
} as const
