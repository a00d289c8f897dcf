import { useSyncExternalStore } from 'react'
import { MINUTE_MS } from '../../contract/time-units.ts'

/** Calls `listener` at each full minute, so that displayed times stay current. */
function everyMinute(listener: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>
  const wait = () => {
    timer = setTimeout(() => (listener(), wait()), MINUTE_MS - (Date.now() % MINUTE_MS))
  }
  wait()
  return () => clearTimeout(timer)
}

const thisMinute = () => Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS

/** Returns the current full minute, ms UTC: `Today` changes while a page stays open. 0 in prerendered pages. */
export function useNow(): number {
  return useSyncExternalStore(everyMinute, thisMinute, () => 0)
}
