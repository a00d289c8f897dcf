import { $greeting } from './feed-connection.ts'

/** A first connection later than this after page load, ms, may also have missed messages. */
const LATE_MS = 15_000

/**
 * Calls `missed` when the feed reconnects, since deletions and changes in between are not replayed. A hidden page waits
 * until it is visible. Returns an unsubscribe function.
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
