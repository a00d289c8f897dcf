import type { Event } from '../../contract/events/events.ts'
import type { HomeContext } from '../homes/feed/home-context.ts'
import type { HomeRequester } from '../billing/plans/event-visibility.ts'
import { insertNamesInJson } from './person-token.ts'
import { getShownNames } from './shown-names.ts'

/**
 * Sends a stored event (JSON) to open pages whose account may see the camera. Each page gets only the names that its
 * account may see.
 */
export function pushEvent(home: HomeContext, json: string, { plans, now }: Omit<HomeRequester, 'userId'>): void {
  const { device_id } = JSON.parse(json) as Event
  home.feed.pushToEachAccount((sees, userId) => {
    if (!sees(device_id)) return null
    const names = getShownNames(home, { userId, plans, now })
    return { type: 'event', event: JSON.parse(insertNamesInJson(json, names.getCameraNames)) as Event }
  })
}
