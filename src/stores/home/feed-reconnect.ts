import { $feedHello } from './feed-connection.ts'

/** Time after page load, ms. If the first connection opens later, the page may have missed messages. */
const LATE_FIRST_CONNECTION_MS = 15_000

/**
 * Calls `onMissed` when the feed reconnects or first connects late, because the feed does not replay missed messages.
 * On a hidden page, waits until the page is visible. Returns an unsubscribe function.
 */
export function onFeedReconnect(onMissed: () => void): () => void {
  let isCallPending = false
  const callWhenVisible = () => {
    if (!isCallPending || document.hidden) return
    isCallPending = false
    onMissed()
  }
  const stop = $feedHello.listen(({ count, at }) => {
    isCallPending ||= count > 1 || at > LATE_FIRST_CONNECTION_MS
    callWhenVisible()
  })
  document.addEventListener('visibilitychange', callWhenVisible)
  return () => {
    stop()
    document.removeEventListener('visibilitychange', callWhenVisible)
  }
}
