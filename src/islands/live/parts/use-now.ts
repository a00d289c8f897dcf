import { useSyncExternalStore } from 'react'

const LOOK_MS = 1000

/** Returns the time, rounded down to `everyMs`; null in the prerendered page, so that hydration matches. */
export function useClockTick(everyMs: number): Date | null {
  const time = useSyncExternalStore(everySecond, () => Math.floor(Date.now() / everyMs) * everyMs, never)
  return time === null ? null : new Date(time)
}

const never = () => null

function everySecond(changed: () => void): () => void {
  const timer = setInterval(changed, LOOK_MS)
  return () => clearInterval(timer)
}
