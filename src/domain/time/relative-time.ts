/** Relative times for /live. Separate file, because date-formats.ts is too large for its first load. */

/** Age in ms as text: `just now`, `5 min ago`, `3 h ago`. */
export function ago(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return 'just now'
  return minutes < 60 ? `${minutes} min ago` : `${Math.floor(minutes / 60)} h ago`
}

/**
 * `Wednesday 25 November`, formatted by the browser, because the first load contains no names of months and weekdays.
 */
export const todayLabel = (now: Date): string =>
  // eslint-disable-next-line no-restricted-syntax -- as above.
  now.toLocaleDateString('en-GB', { weekday: 'long', day: 'numeric', month: 'long' })
