/** What /live says of now, in a file of its own: date-formats.ts, which has all styles, is too much for it. */

/** How long ago, from ms: `just now`, `5 min ago`, `3 h ago`. */
export function ago(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return 'just now'
  return minutes < 60 ? `${minutes} min ago` : `${Math.floor(minutes / 60)} h ago`
}

/** `Wednesday 25 November`, by the browser's own names: the first load carries none. */
export const todayLabel = (now: Date): string =>
  // eslint-disable-next-line no-restricted-syntax -- as above.
  now.toLocaleDateString('en-GB', { weekday: 'long', day: 'numeric', month: 'long' })
