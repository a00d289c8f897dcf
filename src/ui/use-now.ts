import { useSyncExternalStore } from 'react'

const MINUTE = 60_000

/** Calls at each full minute, so that nothing shown of it is older than the minute itself. */
function everyMinute(listener: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>
  const wait = () => {
    timer = setTimeout(() => (listener(), wait()), MINUTE - (Date.now() % MINUTE))
  }
  wait()
  return () => clearTimeout(timer)
}

const thisMinute = () => Math.floor(Date.now() / MINUTE) * MINUTE

/** The full minute in ms UTC: what `Today` means changes while a page stays open. 0 where the page was prerendered. */
export function useNow(): number {
  return useSyncExternalStore(everyMinute, thisMinute, () => 0)
}
