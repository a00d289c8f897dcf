/**
 * Keys of what is measured, beside those of storage.ts. What begins with `browser_` belongs to the browser and outlives a
 * sign-out (OPEN-148).
 */
export const MEASURE_KEYS = {
  /** The device collector's first-party value; its cookie has the same name. */
  firstParty: 'browser_first_party',
} as const

/** In session storage: the session that the device collector ran for last, and when it may run again, as JSON. */
export const MEASURE_TAB_KEYS = { collector: 'collector_session' } as const
