import { watchAnomalies } from './anomalies.ts'
import { syncStoredTags } from './event-tags.ts'
import { type FeedEventList, reloadAfterFeedBreaks, watchMissedEvents } from './feed-catch-up.ts'
import { reloadOnPlanChanges } from './plan-changes.ts'
import { loadEnrollment } from '../account/search-enrollment.ts'

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

/** Calls `callback` once, when the list has loaded or failed for the first time. Returns an unsubscribe function. */
function onFirstListResult({ $list }: FeedEventList, callback: () => void): () => void {
  let isDone = false
  return $list.subscribe(({ state }) => {
    if (isDone || state === 'loading') return
    isDone = true
    callback()
  })
}
