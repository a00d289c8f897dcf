import type { Event } from '../../contract/events/events.ts'
import type { HomeContext } from '../homes/feed/home-context.ts'
import type { HomeRequester } from '../billing/plans/event-visibility.ts'
import { insertNamesInJson } from './person-token.ts'
import { shownNames } from './shown-names.ts'

/** Sends a stored event (JSON) to open pages that see its camera, each with the names that its account may see. */
export function pushEvent(home: HomeContext, json: string, { plans, now }: Omit<HomeRequester, 'userId'>): void {
  const { device_id } = JSON.parse(json) as Event
  home.feed.pushEach((sees, userId) => {
    if (!sees(device_id)) return null
    const names = shownNames(home, { userId, plans, now })
    return { type: 'event', event: JSON.parse(insertNamesInJson(json, names.at)) as Event }
  })
}
