/** Maximum number of counters before expired windows are discarded. */
const KEYS_MAX = 10_000

interface CountWindow {
  count: number
  /** ms UTC */
  readonly until: number
}

const countWindows = new Map<string, CountWindow>()

/**
 * Counts one attempt for `key`, in a window of `windowMs` that starts with the first attempt. Returns true if the
 * window has at most `max` attempts so far. `now` in ms UTC.
 */
export function countAttempt(key: string, max: number, windowMs: number, now: number): boolean {
  if (countWindows.size >= KEYS_MAX) discardExpired(now)
  const existing = countWindows.get(key)
  const window = existing && existing.until > now ? existing : { count: 0, until: now + windowMs }
  window.count += 1
  countWindows.set(key, window)
  return window.count <= max
}

/** Deletes expired windows. If none has expired, a client is inventing keys, and all counters are deleted. */
function discardExpired(now: number): void {
  for (const [key, { until }] of countWindows) if (until <= now) countWindows.delete(key)
  if (countWindows.size >= KEYS_MAX) countWindows.clear()
}
