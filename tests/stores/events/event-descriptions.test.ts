// @vitest-environment jsdom
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Event } from '../../../contract/events/events.ts'
import { syncEventUrl, openSearch } from '../../../src/stores/events/event-url.ts'
import { createEventList } from '../../../src/stores/events/event-list.ts'
import { openFeed } from '../../../src/stores/home/feed.ts'
import { submitQuery } from '../../../src/stores/search/search-url.ts'
import { syncSearchWithUrl, $search } from '../../../src/stores/search/search.ts'
import { $videoSearchSwitch } from '../../../src/stores/session/session.ts'
import { stubApiResponses } from '../../support/client.ts'
import { WAIT_OPTIONS } from '../../support/patience.ts'

const createEvent = (event_id: string, title = 'Motion'): Event => ({
  event_id,
  device_id: 'CAM1',
  event_ts: 1,
  tags: ['4'],
  event_values: [],
  title,
  event_resources: [],
  reviewed: false,
})
const createMatch = (event_id: string) => ({ event: createEvent(event_id), strength: 'good', at_s: 7, why: [] })
const interpretation = { nowhere: [], instead: [], without: [], places: [], unknown: [] }
const counts = { clips: 3, searched: 2, arriving: 0, waiting: 1, undescribed: 0, kept_since: 0 }
const searchResponse = (events: string[], closest: string[] = []) => ({
  code: 200,
  data: {
    query_id: 'q1',
    events: events.map(createMatch),
    closest: closest.map(createMatch),
    total: events.length,
    said: interpretation,
    coverage: counts,
  },
})

const sockets: { onmessage?: (event: { data: string }) => void }[] = []
const receiveMessage = (message: object) => sockets[0]?.onmessage?.({ data: JSON.stringify(message) })
const listTitles = () => {
  const now = $search.get()
  return now.state === 'found' && [...now.answer.events, ...now.answer.closest].map((result) => result.event.title)
}
async function searchFor(query: string, response: object) {
  stubApiResponses({ search: response, 'feed-ticket': { code: 200, data: { url: 'ws://localhost/feed' } } })
  submitQuery(query)
  await vi.waitFor(() => expect($search.get()).toMatchObject({ state: 'found', query }), WAIT_OPTIONS)
}

let stops: (() => void)[] = []
beforeAll(async () => {
  vi.stubGlobal('WebSocket', function (this: (typeof sockets)[number]) {
    sockets.push(this)
  })
  history.replaceState(null, '', '/events')
  $videoSearchSwitch.set(true)
  stops = [syncEventUrl(), syncSearchWithUrl()]
  openSearch()
  await searchFor('a parcel', searchResponse(['a', 'b']))
  openFeed()
  await vi.waitFor(() => expect(sockets).toHaveLength(1), WAIT_OPTIONS)
})
afterAll(() => {
  stops.forEach((stop) => stop())
  vi.unstubAllGlobals()
})

test('the list shows the new title of a described event, even with a list request pending', async () => {
  const storedEvents = [createEvent('a'), createEvent('b')]
  const answers: (() => void)[] = []
  const list = createEventList({
    now: () => 1,
    acceptsEvent: () => true,
    includesPresent: () => true,
    onFailure: () => undefined,
    ask: () => new Promise((resolve) => answers.push(() => resolve({ ok: true, data: storedEvents }))),
  })
  const listed = () => {
    const now = list.$list.get()
    return now.state === 'ready' && now.events.map(({ event_id, title }) => [event_id, title]).toSorted()
  }
  const loaded = list.load({ begin: 0, end: 2 })
  answers[0]?.()
  await loaded
  list.applyMessage({ type: 'event', event: createEvent('b', 'Courier') })
  expect(listed()).toEqual([
    ['a', 'Motion'],
    ['b', 'Courier'],
  ])
  const again = list.load({ begin: 0, end: 2 }, { keepsList: true })
  list.applyMessage({ type: 'event', event: createEvent('a', 'Fox') })
  answers[1]?.()
  await again
  expect(listed()).toEqual([
    ['a', 'Fox'],
    ['b', 'Motion'],
  ])
})

test('the search shows the new title of a described result, now and after going back', async () => {
  receiveMessage({ type: 'event', event: createEvent('b', 'Courier with a parcel') })
  expect(listTitles()).toEqual(['Motion', 'Courier with a parcel'])
  await searchFor('an ocelot', searchResponse([], ['b']))
  expect(listTitles()).toEqual(['Motion'])
  receiveMessage({ type: 'event', event: createEvent('b', 'Courier') })
  expect(listTitles()).toEqual(['Courier'])
  history.replaceState(null, '', '/events?search=a+parcel')
  dispatchEvent(new PopStateEvent('popstate'))
  expect($search.get()).toMatchObject({ query: 'a parcel', answer: { total: 2, events: [{ at_s: 7 }, { at_s: 7 }] } })
  expect(listTitles()).toEqual(['Motion', 'Courier'])
})

test('the search adds no results and ignores descriptions of other events', () => {
  const before = $search.get()
  receiveMessage({ type: 'event', event: createEvent('another', 'Courier') })
  expect($search.get()).toBe(before)
})
