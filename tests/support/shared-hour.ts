import type { Page } from 'playwright/test'
import type { Event } from '../../contract/events/events.ts'
import { clockHourSpan } from '../../src/domain/events/clip-hour.ts'
import { groupVisits } from '../../src/domain/events/visits.ts'
import { formatDay } from './time-zone.ts'

/**
 * Finds an event that is a row of its own and has another event of its camera in the same clock hour. `link`: path of
 * the event list for that day and camera. Throws if there is no such event.
 */
export async function findEventInSharedHour(page: Page): Promise<{ event: Event; link: string }> {
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
  const byDay = Map.groupBy(data.event_list, ({ device_id, event_ts }) => `${device_id} ${formatDay(event_ts)}`)
  for (const events of byDay.values()) {
    const getHour = ({ event_ts }: Event) => clockHourSpan(event_ts).begin
    const event = groupVisits(events)
      .flatMap(({ clips }) => (clips.length === 1 ? clips : []))
      .find((single) => events.some((other) => other !== single && getHour(other) === getHour(single)))
    if (!event) continue
    const day = formatDay(event.event_ts)
    return { event, link: `/events?from=${day}&to=${day}&cameras=${event.device_id}` }
  }
  throw new Error(`No two of ${data.event_list.length} events of sixty days share a camera and a clock hour.`)
}
