import { EVENT_IDS_MAX, getEventListByIds } from '../../../contract/events/event-calls.ts'
import type { Event } from '../../../contract/events/events.ts'
import { request } from '../../api/api-client.ts'
import type { Result } from '../../api/result.ts'
import { orderByIds } from '../../domain/events/event-list.ts'

/**
 * Loads events by id (OPEN-136), in the order of `ids` (EVENT-26). Ignores ids after the first 500. The result omits
 * events that are deleted or not accessible.
 */
export async function loadEventsByIds(ids: readonly string[]): Promise<Result<readonly Event[]>> {
  const response = await request(getEventListByIds, { event_id_list: ids.slice(0, EVENT_IDS_MAX) })
  return response.ok ? { ok: true, data: orderByIds(ids, response.data.event_list) } : response
}
