import { $greeting } from './feed-connection.ts'

/** A first connection that comes so long after the page was opened, ms, has missed something too. */
const LATE_MS = 15_000

/**
 * Calls `missed` when the feed is back after a break: what was deleted or changed meanwhile is told by nothing else. A page that
 * nobody sees waits until it is seen. Ends with the returned function.
 */
export function onFeedBreak(missed: () => void): () => void {
  let isOwed = false
  const pay = () => {
    if (!isOwed || document.hidden) return
    isOwed = false
    missed()
  }
  const stop = $greeting.listen(({ count, at }) => {
    isOwed ||= count > 1 || at > LATE_MS
    pay()
  })
  document.addEventListener('visibilitychange', pay)
  return () => {
    stop()
    document.removeEventListener('visibilitychange', pay)
  }
}
