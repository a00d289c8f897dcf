import { useSyncExternalStore } from 'react'

const CHECK_INTERVAL_MS = 1000

/**
 * Returns the current time, rounded down to a multiple of `everyMs`; null in the prerendered page, so that hydration
 * matches.
 */
export function useClockTick(everyMs: number): Date | null {
  const time = useSyncExternalStore(
    subscribeToSeconds,
    () => Math.floor(Date.now() / everyMs) * everyMs,
    getPrerenderedTime,
  )
  return time === null ? null : new Date(time)
}

const getPrerenderedTime = () => null

function subscribeToSeconds(onChange: () => void): () => void {
  const timer = setInterval(onChange, CHECK_INTERVAL_MS)
  return () => clearInterval(timer)
}
