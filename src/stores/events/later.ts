import { followAnomalies } from './anomalies.ts'
import { followTags } from './event-tags.ts'
import { type FedList, followMissed } from './missed-events.ts'

/** What the list of events does without for its first rows. Ends with the returned function. */
export function followLater(list: FedList): () => void {
  const stops = [followTags(), followAnomalies(), followMissed(list)]
  return () => stops.forEach((stop) => stop())
}
