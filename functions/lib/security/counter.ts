/** Counters kept before those of past windows are thrown away. */
const KEYS_MAX = 10_000

interface Window {
  count: number
  /** ms UTC */
  readonly until: number
}

const windows = new Map<string, Window>()

/** Counts one more of `key`; whether it is within `max` of the window that its first one opened. `now` in ms UTC. */
export function countIn(key: string, max: number, windowMs: number, now: number): boolean {
  if (windows.size >= KEYS_MAX) discardExpired(now)
  const existing = windows.get(key)
  const window = existing && existing.until > now ? existing : { count: 0, until: now + windowMs }
  window.count += 1
  windows.set(key, window)
  return window.count <= max
}

/** If all of them still count, somebody is making up keys: they start anew. */
function discardExpired(now: number): void {
  for (const [key, { until }] of windows) if (until <= now) windows.delete(key)
  if (windows.size >= KEYS_MAX) windows.clear()
}
