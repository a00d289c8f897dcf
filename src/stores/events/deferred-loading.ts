import { watchAnomalies } from './anomalies.ts'
import { syncTags } from './event-tags.ts'
import { type FedList, watchFeedBreaks, watchMissedEvents } from './feed-catch-up.ts'
import { watchPlans } from './plan-changes.ts'
import { loadOnboarding } from '../account/search-enrollment.ts'

/**
 * Starts the work of the event list that can wait, and loads the search enrollment once the list has loaded or failed.
 * Returns a function that stops this work.
 */
export function watchDeferred(list: FedList): () => void {
  const stops = [
    syncTags(),
    watchAnomalies(),
    watchMissedEvents(list),
    watchFeedBreaks(list),
    watchPlans(),
    whenListed(list, () => void loadOnboarding()),
  ]
  return () => stops.forEach((stop) => stop())
}

/** Calls `act` once the list has loaded or failed for the first time. Returns an unsubscribe function. */
function whenListed({ $list }: FedList, act: () => void): () => void {
  let isDone = false
  return $list.subscribe(({ state }) => {
    if (isDone || state === 'loading') return
    isDone = true
    act()
  })
}
