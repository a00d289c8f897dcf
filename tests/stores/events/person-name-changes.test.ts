// @vitest-environment jsdom
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Event } from '../../../contract/events/events.ts'
import { $clip, syncOpenEvent } from '../../../src/stores/events/open-clip.ts'
import { $eventUrl, changeFilter, syncEventUrl, openEvent } from '../../../src/stores/events/event-url.ts'
import { $eventTags } from '../../../src/stores/events/event-tags.ts'
import { loadKnownPeople } from '../../../src/stores/events/known-people.ts'
import { openFeed } from '../../../src/stores/home/feed.ts'
import { $homePeople, watchPeople } from '../../../src/stores/people/people.ts'
import { stubApiResponses } from '../../support/client.ts'
import { WAIT_OPTIONS } from '../../support/patience.ts'
import { createHomePeople, createHomesResponse, createPerson } from '../../support/people.ts'

const createClipEvent = (name: string): Event => ({
  event_id: 'e1',
  device_id: 'a',
  event_ts: Date.UTC(2026, 5, 1),
  tags: ['12'],
  title: 'Person',
  event_values: [name],
  reviewed: true,
  event_resources: [{ begin_time: 1, end_time: 2, resource_version: 1, resource_type: 's3' }],
})
const responsesWithName = (name: string) => ({
  'feed-ticket': { code: 200, data: { url: 'wss://feed.example/' } },
  collection: { code: 200, data: { collections: [{ collection_id: 'c1', name: 'Home' }] } },
  // Serves two calls with the same last path segment: the faces of a collection and the people of a home.
  people: {
    code: 200,
    data: { people: [{ person_id: 'p1', name, events: 3, last_seen: 1 }], homes: homesWithPerson(name) },
  },
  'get-event': { code: 200, data: createClipEvent(name) },
  replay_url: { code: 200, data: { replay_url: '/clip.mp4', mime: 'video/mp4' } },
})
const homesWithPerson = (name: string) => createHomesResponse(createHomePeople([createPerson('p1', name)])).data.homes

const sockets: { onmessage?: (event: { data: string }) => void }[] = []
const emitMessage = (type: string) => sockets[0]?.onmessage?.({ data: JSON.stringify({ type }) })

beforeAll(async () => {
  vi.stubGlobal('WebSocket', function (this: (typeof sockets)[number]) {
    sockets.push(this)
  })
  stubApiResponses(responsesWithName('Person 1'))
  openFeed()
  await vi.waitFor(() => expect(sockets).toHaveLength(1), WAIT_OPTIONS)
})
afterAll(() => vi.unstubAllGlobals())
const stops: (() => void)[] = []
afterEach(() => stops.splice(0).forEach((stop) => stop()))
beforeEach(() => history.replaceState(null, '', '/events'))

test('when a person gets a name, the filter keeps that person and the people list updates', async () => {
  stops.push(syncEventUrl())
  stubApiResponses(responsesWithName('Person 1'))
  await loadKnownPeople()
  changeFilter({ people: ['Person 1', 'Maya'] })
  stubApiResponses(responsesWithName('Dan'))
  emitMessage('people')
  await vi.waitFor(() => expect($eventTags.get().friendlyFaces).toEqual({ p1: 'Dan' }), WAIT_OPTIONS)
  expect([$eventUrl.get().filter.people, location.search]).toEqual([['Dan', 'Maya'], '?person=Dan&person=Maya'])
  expect($eventTags.get().face).toMatchObject([{ name: 'Dan', clicked: true }])
})

test('an open clip outside the list shows the new name and keeps playing', async () => {
  stubApiResponses(responsesWithName('Person 1'))
  stops.push(syncEventUrl(), syncOpenEvent())
  openEvent({ eventId: 'e1', deviceId: 'a' })
  await vi.waitFor(() => expect($clip.get()).toMatchObject({ state: 'ready', isUnconfirmed: false }), WAIT_OPTIONS)
  const before = $clip.get()
  stubApiResponses(responsesWithName('Dan'))
  emitMessage('people')
  await vi.waitFor(() => expect($clip.get()).toMatchObject({ event: { event_values: ['Dan'] } }), WAIT_OPTIONS)
  expect($clip.get()).toEqual({ ...before, event: createClipEvent('Dan') })
})

test('a name change reloads the people of a home', async () => {
  stubApiResponses(responsesWithName('Person 1'))
  stops.push(watchPeople())
  await vi.waitFor(() => expect($homePeople.get().state).toBe('ready'), WAIT_OPTIONS)
  stubApiResponses(responsesWithName('Dan'))
  emitMessage('people')
  await vi.waitFor(
    () => expect($homePeople.get()).toMatchObject({ homes: [{ people: [{ name: 'Dan' }] }] }),
    WAIT_OPTIONS,
  )
})
