import { followAnomalies } from './anomalies.ts'
import { followTags } from './event-tags.ts'
import { type FedList, followBreaks, followMissed } from './missed-events.ts'
import { followPlans } from './plan-changes.ts'

/** What the list of events does without for its first rows. Ends with the returned function. */
export function followLater(list: FedList): () => void {
  const stops = [followTags(), followAnomalies(), followMissed(list), followBreaks(list), followPlans()]
  return () => stops.forEach((stop) => stop())
}
