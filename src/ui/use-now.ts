import { useSyncExternalStore } from 'react'
import { MINUTE_MS } from '../../contract/time-units.ts'

function subscribeToMinutes(listener: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>
  const scheduleNext = () => {
    timer = setTimeout(() => (listener(), scheduleNext()), MINUTE_MS - (Date.now() % MINUTE_MS))
  }
  scheduleNext()
  return () => clearTimeout(timer)
}

const getCurrentMinute = () => Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS

/**
 * Returns the current full minute, ms UTC, so that `Today` stays correct on an open page. Returns 0 in prerendered
 * pages.
 */
export function useNow(): number {
  return useSyncExternalStore(subscribeToMinutes, getCurrentMinute, () => 0)
}
