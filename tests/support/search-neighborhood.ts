import { onboardingRegister, type SearchMatch } from '../../contract/search/search-calls.ts'
import { DAY_MS } from '../../contract/time-units.ts'
import { createBridgeEvent, openNeighborhood, type CallResponse, type Household, type Neighborhood } from './home.ts'

/**
 * Opens a neighborhood and enrolls both accounts in search. Household `a` has five events at `now` minus one day: three
 * with descriptions, one without, and one whose clip is still uploading.
 */
export async function openSearchNeighborhood(now: number): Promise<Neighborhood> {
  const neighborhood = await openNeighborhood()
  await neighborhood.a.bridge.register('door_a', { nickname: 'Front door' })
  await neighborhood.a.bridge.register('yard_a', { nickname: 'Backyard', device_order: 2 })
  await neighborhood.b.bridge.register('door_b', { nickname: 'Hall' })
  await postEventsOfOneDay(neighborhood.a, now - DAY_MS)
  for (const as of [neighborhood.a, neighborhood.b]) await neighborhood.call(as, onboardingRegister)
  return neighborhood
}

interface EventDescription {
  readonly title: string
  readonly text: string
  readonly tags: string[]
  readonly event_ts: number
}

/** Posts an event with a description of one moment. */
export function postDescribedEvent(
  { bridge }: Household,
  deviceId: string,
  eventId: string,
  { text, ...event }: EventDescription,
): Promise<unknown> {
  const moments = [{ at_s: 7.5, text }]
  return bridge.postEvent(createBridgeEvent(deviceId, eventId, { ...event, event_values: [], moments }))
}

async function postEventsOfOneDay(household: Household, event_ts: number): Promise<void> {
  await postDescribedEvent(household, 'door_a', 'courier', {
    title: 'Person with a box',
    text: 'A courier leaves a parcel on the mat and rings, by day.',
    tags: ['4', '101'],
    event_ts,
  })
  const moments = [
    { at_s: 11.25, text: 'Barking is heard, by day.' },
    { at_s: 7.5, text: 'The dog chases a white cat along the fence, by day.' },
  ]
  const barking = { title: 'Dog barking', tags: ['4', '103', '800002'], event_values: ['pet', 'Barking'] }
  await household.bridge.postEvent(createBridgeEvent('yard_a', 'dog', { ...barking, event_ts, moments }))
  await postDescribedEvent(household, 'yard_a', 'fox', {
    title: 'Animal',
    text: 'A fox noses about by the kennel, at night.',
    tags: ['4', '103'],
    event_ts,
  })
  const motion = { title: 'Motion', tags: ['4'], event_values: [], event_ts }
  await household.bridge.postEvent(createBridgeEvent('door_a', 'plain', motion))
  await household.bridge.postEvent(createBridgeEvent('door_a', 'coming', { ...motion, clip_state: 'uploading' }))
}

/** Builds the input of a search of all cameras and kinds of events in the last 20 days. `more` overrides its fields. */
export const buildSearchInput = (now: number, query: string, more: object = {}) => ({
  device_macs_to_include: [],
  event_tags_to_include: [],
  start_ts: now - 20 * DAY_MS,
  end_ts: now,
  limit: 50,
  query,
  ...more,
})
export const getMatches = (answer: CallResponse) => answer.body.data.events as SearchMatch[]
