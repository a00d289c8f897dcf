import type { Page, Response } from 'playwright/test'
import type { Event } from '../../contract/events/events.ts'

/** Time at which clips of at least three cameras overlap: `at` (ms UTC), and the event of one of these clips. */
export interface SharedMoment {
  readonly event: Event
  readonly at: number
}

/**
 * Opens the events page at `url`, and waits until clips of at least three cameras overlap in the received events.
 * Returns the times of such overlaps and the received events. The seed data contains such overlaps.
 */
export async function openPageWithSharedMoments(
  page: Page,
  url: string,
): Promise<{ events: Event[]; moments: SharedMoment[] }> {
  const events: Event[] = []
  const found = Promise.withResolvers<SharedMoment[]>()
  const readEvents = (response: Response) => {
    if (response.url().includes('/event/history') && response.ok())
      void response.json().then(addEvents, () => undefined)
  }
  const addEvents = (body: { data: { event_list: Event[] } }) => {
    events.push(...body.data.event_list)
    const moments = findSharedMoments(events)
    if (moments.length > 0) found.resolve(moments)
  }
  page.on('response', readEvents)
  await page.goto(url)
  const moments = await found.promise
  page.off('response', readEvents)
  return { events, moments }
}

function findSharedMoments(events: readonly Event[]): SharedMoment[] {
  const clips = events.flatMap((event) => event.event_resources.slice(0, 1).map((clip) => ({ event, ...clip })))
  return clips.flatMap(({ event, begin_time }) => {
    const at = begin_time + 1000
    const cameras = clips.filter((clip) => clip.begin_time <= at && at < clip.end_time - 10_000)
    return new Set(cameras.map((clip) => clip.event.device_id)).size >= 3 ? [{ event, at }] : []
  })
}
