/**
 * Relative times for /live. They have their own file, because date-formats.ts is too large for the first load of /live.
 */

/** Formats an age in ms: `just now`, `5 min ago`, `3 h ago`. */
export function formatAge(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return 'just now'
  return minutes < 60 ? `${minutes} min ago` : `${Math.floor(minutes / 60)} h ago`
}

/** Formats a date as `Wednesday 25 November`. */
export const todayLabel = (now: Date): string =>
  // eslint-disable-next-line no-restricted-syntax -- date-formats.ts is too large for the first load of /live.
  now.toLocaleDateString('en-GB', { weekday: 'long', day: 'numeric', month: 'long' })
