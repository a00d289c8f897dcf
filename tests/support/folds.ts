import type { Page } from 'playwright/test'
import type { Event } from '../../contract/events/events.ts'
import { hourSpan } from '../../src/domain/events/clip-hour.ts'
import { groupSimilarEvents } from '../../src/domain/events/event-groups.ts'
import { dayThere } from './time-zone.ts'

/**
 * Finds a day of one camera with a group of similar events within one clock hour. `link`: URL of the event list for
 * that day and camera.
 */
export async function findFold(page: Page) {
  const answer = page.waitForResponse((response) => /\/event\/history$|get-event-list$/.test(response.url()))
  await page.goto('/events')
  const listRequest = (await answer).request()
  const sixty = Date.now() - 59 * 86_400_000
  const { data } = (await (
    await page.request.fetch(listRequest.url(), {
      method: 'POST',
      headers: await listRequest.allHeaders(),
      data: { ...(listRequest.postDataJSON() as object), begin_time: sixty },
    })
  ).json()) as { data: { event_list: Event[] } }
  const rows = [
    ...Map.groupBy(data.event_list, ({ device_id, event_ts }) => `${device_id} ${dayThere(event_ts)}`).values(),
  ]
    .flatMap((list) => groupSimilarEvents(list, new Set()))
    .flatMap(({ event, fold }) => (fold ? [{ first: event, ids: fold.ids }] : []))
  const timeOf = new Map(data.event_list.map(({ event_id, event_ts }) => [event_id, event_ts]))
  // Events within an hour of each other can lie in different clock hours.
  const fold = rows.find(({ first, ids }) =>
    ids.some((id) => id !== first.event_id && hourSpan(timeOf.get(id) ?? 0).begin === hourSpan(first.event_ts).begin),
  )
  if (!fold)
    throw new Error(
      `Of ${data.event_list.length} events of sixty days, in ${rows.length} folds, none follows the first of its fold within an hour of the clock.`,
    )
  const day = dayThere(fold.first.event_ts)
  return { fold, link: `/events?from=${day}&to=${day}&cameras=${fold.first.device_id}` }
}
