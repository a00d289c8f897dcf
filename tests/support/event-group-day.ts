import type { Page } from 'playwright/test'
import type { Event } from '../../contract/events/events.ts'
import { clockHourSpan } from '../../src/domain/events/clip-hour.ts'
import { groupSimilarEvents } from '../../src/domain/events/event-groups.ts'
import { formatDay } from './time-zone.ts'

/**
 * Finds a group of similar events of one camera and day, in which the newest event and at least one older event are in
 * the same clock hour. `fold`: the newest event (`first`), and the ids of the older events. `link`: path of the
 * event list for that day and camera. Throws if there is no such group.
 */
export async function findEventGroup(page: Page) {
  const answer = page.waitForResponse((response) => /\/event\/history$|get-event-list$/.test(response.url()))
  await page.goto('/events')
  const listRequest = (await answer).request()
  const fetchStartMs = Date.now() - 59 * 86_400_000
  const { data } = (await (
    await page.request.fetch(listRequest.url(), {
      method: 'POST',
      headers: await listRequest.allHeaders(),
      data: { ...(listRequest.postDataJSON() as object), begin_time: fetchStartMs },
    })
  ).json()) as { data: { event_list: Event[] } }
  const rows = [
    ...Map.groupBy(data.event_list, ({ device_id, event_ts }) => `${device_id} ${formatDay(event_ts)}`).values(),
  ]
    .flatMap((list) => groupSimilarEvents(list, new Set()))
    .flatMap(({ event, group }) => (group ? [{ first: event, ids: group.ids }] : []))
  const startTimes = new Map(data.event_list.map(({ event_id, event_ts }) => [event_id, event_ts]))
  // Events less than an hour apart can lie in different clock hours.
  const eventGroup = rows.find(({ first, ids }) =>
    ids.some(
      (id) =>
        id !== first.event_id && clockHourSpan(startTimes.get(id) ?? 0).begin === clockHourSpan(first.event_ts).begin,
    ),
  )
  if (!eventGroup)
    throw new Error(
      `No two events of one group share a clock hour: ${data.event_list.length} events of sixty days in ${rows.length} groups.`,
    )
  const day = formatDay(eventGroup.first.event_ts)
  return { eventGroup, link: `/events?from=${day}&to=${day}&cameras=${eventGroup.first.device_id}` }
}
