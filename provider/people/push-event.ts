import type { Event } from '../../contract/events/events.ts'
import type { HomeContext } from '../homes/feed/home-context.ts'
import type { HomeRequester } from '../billing/plans/event-visibility.ts'
import { insertNamesInJson } from './person-token.ts'
import { shownNames } from './shown-names.ts'

/** Sends an event, JSON as it is stored, to the open pages of those who see its camera: each with the names that it is shown. */
export function pushEvent(home: HomeContext, json: string, { plans, now }: Omit<HomeRequester, 'userId'>): void {
  const { device_id } = JSON.parse(json) as Event
  home.feed.pushEach((sees, userId) => {
    if (!sees(device_id)) return null
    const names = shownNames(home, { userId, plans, now })
    return { type: 'event', event: JSON.parse(insertNamesInJson(json, names.at)) as Event }
  })
}
