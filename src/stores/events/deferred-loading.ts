import { watchAnomalies } from './anomalies.ts'
import { syncStoredTags } from './event-tags.ts'
import { type FeedEventList, reloadAfterFeedBreaks, watchMissedEvents } from './feed-catch-up.ts'
import { loadEnrollment, $videoSearchLogin } from '../account/search-enrollment.ts'
import { reloadDevices } from '../home/devices.ts'
import { onFeed } from '../home/feed.ts'
import { reloadRetention } from './retention.ts'

/**
 * Starts the work of the event list that can wait, and loads the search enrollment once the list has loaded or failed.
 * Returns a function that stops this work.
 */
export function startDeferredWork(list: FeedEventList): () => void {
  const stops = [
    syncStoredTags(),
    watchAnomalies(),
    watchMissedEvents(list),
    reloadAfterFeedBreaks(list),
    reloadOnPlanChanges(),
    onFirstListResult(list, () => void loadEnrollment()),
  ]
  return () => stops.forEach((stop) => stop())
}

function onFirstListResult({ $list }: FeedEventList, callback: () => void): () => void {
  let isDone = false
  return $list.subscribe(({ state }) => {
    if (isDone || state === 'loading') return
    isDone = true
    callback()
  })
}

/**
 * Reloads the cameras when the feed sends `access`, for example after a change of plan. Also reloads the retention
 * periods and the search enrollment if they were loaded before. Returns an unsubscribe function.
 */
export function reloadOnPlanChanges(): () => void {
  return onFeed(({ type }) => {
    if (type !== 'access') return
    void reloadDevices()
    void reloadRetention()
    if ($videoSearchLogin.get() !== 0) void loadEnrollment(true)
  })
}
