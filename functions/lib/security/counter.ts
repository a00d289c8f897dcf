/** Maximum number of counters before expired windows are discarded. */
const KEYS_MAX = 10_000

interface Window {
  count: number
  /** ms UTC */
  readonly until: number
}

const windows = new Map<string, Window>()

/**
 * Counts one attempt for `key`. The first attempt opens a window of `windowMs`. Returns true if the window has at most
 * `max` attempts so far. `now` in ms UTC.
 */
export function countIn(key: string, max: number, windowMs: number, now: number): boolean {
  if (windows.size >= KEYS_MAX) discardExpired(now)
  const existing = windows.get(key)
  const window = existing && existing.until > now ? existing : { count: 0, until: now + windowMs }
  window.count += 1
  windows.set(key, window)
  return window.count <= max
}

/** If no window has expired, a client is making up keys: all counters restart. */
function discardExpired(now: number): void {
  for (const [key, { until }] of windows) if (until <= now) windows.delete(key)
  if (windows.size >= KEYS_MAX) windows.clear()
}
