import { useSyncExternalStore } from 'react'

const MINUTE = 60_000

function everyMinute(listener: () => void): () => void {
  const timer = setInterval(listener, MINUTE)
  return () => clearInterval(timer)
}

const thisMinute = () => Math.floor(Date.now() / MINUTE) * MINUTE

/** The full minute in ms UTC: what `Today` means changes while a page stays open. 0 where the page was prerendered. */
export function useNow(): number {
  return useSyncExternalStore(everyMinute, thisMinute, () => 0)
}
