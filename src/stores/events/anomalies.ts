import { ANOMALY_IDS_MAX, anomalyBatch } from '../../../contract/events/event-calls.ts'
import { request } from '../../api/api-client.ts'
import { chunkList } from '../../domain/chunk-list.ts'
import { $visibleEventIds, $anomalyTexts } from './visible-events.ts'

/**
 * Time for which the set of visible event cards must stay the same before the anomaly check, ms. Cards that scroll past
 * are not checked.
 */
const MIN_VISIBLE_MS = 300

/**
 * Checks visible events for anomalies, each event once and at most 200 per call (OPEN-136). Repeats failed checks when
 * the visible cards change. Returns an unsubscribe function.
 */
export function watchAnomalies(): () => void {
  const requested = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined

  async function fetchAnomalies(event_ids: string[]): Promise<void> {
    const response = await request(anomalyBatch, { event_ids })
    if (!response.ok) return event_ids.forEach((id) => requested.delete(id))
    const unusual = response.data.anomalies.filter(({ anomaly }) => anomaly)
    if (unusual.length > 0)
      $anomalyTexts.set(
        new Map([...$anomalyTexts.get(), ...unusual.map(({ event_id, text }) => [event_id, text] as const)]),
      )
  }

  function checkVisible(): void {
    const ids = [...new Set($visibleEventIds.get())].filter((id) => !requested.has(id))
    for (const id of ids) requested.add(id)
    for (const batch of chunkList(ids, ANOMALY_IDS_MAX)) void fetchAnomalies(batch)
  }

  const stop = $visibleEventIds.subscribe(() => {
    clearTimeout(timer)
    timer = setTimeout(checkVisible, MIN_VISIBLE_MS)
  })
  return () => {
    clearTimeout(timer)
    stop()
  }
}
