import { $greeting } from './feed-connection.ts'

/** Maximum delay of the first connection after page load, ms. If it opens later, the page may have missed messages. */
const LATE_MS = 15_000

/**
 * Calls `missed` when the feed reconnects, because it does not replay deletions and changes from the time without a
 * connection. On a hidden page, waits until the page is visible. Returns an unsubscribe function.
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
