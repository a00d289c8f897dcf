import { followAnomalies } from './anomalies.ts'
import { followTags } from './event-tags.ts'
import { type FedList, followBreaks, followMissed } from './feed-catch-up.ts'
import { followPlans } from './plan-changes.ts'
import { loadOnboarding } from '../account/search-enrollment.ts'

/** What the list of events does without for its first rows, and whether the account searches. Ends with the returned function. */
export function followLater(list: FedList): () => void {
  const stops = [
    followTags(),
    followAnomalies(),
    followMissed(list),
    followBreaks(list),
    followPlans(),
    whenListed(list, () => void loadOnboarding()),
  ]
  return () => stops.forEach((stop) => stop())
}

/** Calls `act` when the list has loaded or failed. Returns a function that stops it. */
function whenListed({ $list }: FedList, act: () => void): () => void {
  let isDone = false
  return $list.subscribe(({ state }) => {
    if (isDone || state === 'loading') return
    isDone = true
    act()
  })
}
