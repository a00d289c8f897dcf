// @vitest-environment jsdom
import { atom } from 'nanostores'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Event } from '../../../contract/events/events.ts'
import type { FeedMessage } from '../../../contract/events/feed.ts'
import { watchAnomalies } from '../../../src/stores/events/anomalies.ts'
import { $clip, syncOpenEvent } from '../../../src/stores/events/open-clip.ts'
import { syncEventUrl } from '../../../src/stores/events/event-url.ts'
import type { EventListState } from '../../../src/stores/events/event-list.ts'
import { loadEventsByIds } from '../../../src/stores/events/events-by-ids.ts'
import { $visibleEventIds, $anomalyTexts } from '../../../src/stores/events/visible-events.ts'
import { watchMissedEvents } from '../../../src/stores/events/feed-catch-up.ts'
import { openFeed } from '../../../src/stores/home/feed.ts'
import { stubApiResponses, type SentRequest } from '../../support/client.ts'
import { WAIT_OPTIONS } from '../../support/patience.ts'

const NOW_MS = Date.now()
const createEvent = (event_id: string, event_ts = NOW_MS): Event => ({
  event_id,
  device_id: 'CAM1',
  event_ts,
  tags: ['4'],
  event_values: [],
  title: 'Motion',
  event_resources: [],
  reviewed: false,
})
const eventListResponse = (...event_list: Event[]) => ({ code: 200, data: { event_list } })
const requestsTo = (requests: readonly SentRequest[], name: string) =>
  requests.filter(({ path }) => path.endsWith(name))

const stops: (() => void)[] = []
beforeEach(() => history.replaceState(null, '', '/events'))
afterEach(() => {
  stops.splice(0).forEach((stop) => stop())
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('unlisted events', () => {
  test('EVENT-26 CALL-39 come in the order of the requested ids', async () => {
    const requests = stubApiResponses({
      'get-event-list-by-ids': eventListResponse(createEvent('a'), createEvent('b'), createEvent('c')),
    })
    const answer = await loadEventsByIds(['c', 'gone', 'a', 'b'])
    expect(answer.ok && answer.data.map(({ event_id }) => event_id)).toEqual(['c', 'a', 'b'])
    expect(requests[0]?.body).toEqual({ event_id_list: ['c', 'gone', 'a', 'b'] })
  })

  test('CALL-39 are requested by id, without the list, if a link names no camera', async () => {
    const requests = stubApiResponses({ 'get-event-list-by-ids': eventListResponse(createEvent('linked')) })
    history.replaceState(null, '', '/events?event=linked')
    stops.push(syncEventUrl(), syncOpenEvent())
    await vi.waitFor(
      () => expect($clip.get()).toMatchObject({ state: 'missing', event: { event_id: 'linked' } }),
      WAIT_OPTIONS,
    )
    expect(requestsTo(requests, 'get-event-list-by-ids')).toHaveLength(1)
  })

  test('CALL-39 a link to a missing event says so, and a link without a response can be retried', async () => {
    stubApiResponses({ 'get-event-list-by-ids': eventListResponse() })
    history.replaceState(null, '', '/events?event=gone')
    stops.push(syncEventUrl(), syncOpenEvent())
    await vi.waitFor(() => expect($clip.get()).toMatchObject({ state: 'missing', event: null }), WAIT_OPTIONS)
    stops.splice(0).forEach((stop) => stop())
    stubApiResponses({})
    stops.push(syncEventUrl(), syncOpenEvent())
    await vi.waitFor(() => expect($clip.get()).toMatchObject({ state: 'failed', event: null }), WAIT_OPTIONS)
  })

  test('are closed during synced playback and requested again afterwards', async () => {
    const requests = stubApiResponses({ 'get-event-list-by-ids': eventListResponse(createEvent('linked')) })
    const goTo = (url: string) => {
      history.replaceState(null, '', url)
      window.dispatchEvent(new PopStateEvent('popstate'))
    }
    goTo('/events?event=linked')
    stops.push(syncEventUrl(), syncOpenEvent())
    await vi.waitFor(() => expect($clip.get().state).toBe('missing'), WAIT_OPTIONS)
    goTo(`/events?event=linked&at=${NOW_MS}`)
    expect($clip.get().state).toBe('none')
    goTo('/events?event=linked')
    await vi.waitFor(() => expect($clip.get().state).toBe('missing'), WAIT_OPTIONS)
    expect(requestsTo(requests, 'get-event-list-by-ids')).toHaveLength(2)
  })
})

describe('clip of a missed event', () => {
  const sockets: { onmessage?: (message: { data: string }) => void }[] = []
  const createClipMessage = (event_id: string, begin_time = NOW_MS): FeedMessage => ({
    type: 'clip',
    event_id,
    resource: { begin_time, end_time: begin_time + 1000, resource_version: 1, resource_type: 's3' },
  })
  const pushMessage = (message: FeedMessage) => sockets.at(-1)?.onmessage?.({ data: JSON.stringify(message) })

  test('CALL-39 is shown with its event, requested by id, but not for other days or listed events', async () => {
    const requests = stubApiResponses({
      'feed-ticket': { code: 200, data: { url: 'wss://feed.example/' } },
      'get-event-list-by-ids': eventListResponse(createEvent('missed')),
    })
    vi.stubGlobal('WebSocket', function (this: (typeof sockets)[number]) {
      sockets.push(this)
    })
    openFeed()
    await vi.waitFor(() => expect(sockets).toHaveLength(1), WAIT_OPTIONS)
    const $list = atom<EventListState>({
      state: 'ready',
      events: [createEvent('here')],
      isFilling: false,
      shortfall: null,
    })
    // Like the real event list, this fake uses `this`, so `applyMessage` must be called as a method.
    const list = {
      $list,
      heard: [] as FeedMessage[],
      applyMessage(message: FeedMessage) {
        this.heard.push(message)
      },
    }
    stops.push(syncEventUrl(), watchMissedEvents(list))
    pushMessage(createClipMessage('here'))
    pushMessage(createClipMessage('of another month', NOW_MS - 90 * 86_400_000))
    expect(requestsTo(requests, 'get-event-list-by-ids')).toEqual([])
    pushMessage(createClipMessage('missed'))
    await vi.waitFor(() => expect(list.heard).toEqual([{ type: 'event', event: createEvent('missed') }]), WAIT_OPTIONS)
    expect(requestsTo(requests, 'get-event-list-by-ids').map(({ body }) => body)).toEqual([
      { event_id_list: ['missed'] },
    ])
  })
})

describe('unusual events', () => {
  const answer = (...ids: string[]) => ({
    code: 200,
    data: { anomalies: ids.map((event_id) => ({ event_id, anomaly: event_id === 'odd', text: 'Pet at night.' })) },
  })

  test('CALL-43 are requested for the cards in view, each once, at most 200 per call', async () => {
    vi.useFakeTimers()
    const all = stubApiResponses({ batch: answer('odd', 'usual') })
    const listRequests = () => requestsTo(all, '/events/anomaly/batch')
    $visibleEventIds.set(['odd', 'usual'])
    stops.push(watchAnomalies())
    await vi.advanceTimersByTimeAsync(299)
    expect(listRequests()).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(listRequests().map(({ body }) => body)).toEqual([{ event_ids: ['odd', 'usual'] }])
    expect([...$anomalyTexts.get()]).toEqual([['odd', 'Pet at night.']])

    const many = Array.from({ length: 250 }, (_, i) => `e${i}`)
    $visibleEventIds.set(['odd', ...many])
    await vi.advanceTimersByTimeAsync(300)
    const sizes = listRequests()
      .slice(1)
      .map(({ body }) => (body as { event_ids: string[] }).event_ids.length)
    expect(sizes).toEqual([200, 50])
    expect(
      listRequests()
        .slice(1)
        .flatMap(({ body }) => (body as { event_ids: string[] }).event_ids),
    ).toEqual(many)
  })

  test('CALL-43 are requested again after no response, and not at all while cards rush past', async () => {
    vi.useFakeTimers()
    const all = stubApiResponses({})
    stops.push(watchAnomalies())
    $visibleEventIds.set(['gone by'])
    await vi.advanceTimersByTimeAsync(200)
    $visibleEventIds.set(['a'])
    await vi.advanceTimersByTimeAsync(300)
    $visibleEventIds.set(['a', 'b'])
    await vi.advanceTimersByTimeAsync(300)
    const anomalyRequests = requestsTo(all, '/events/anomaly/batch')
    expect(anomalyRequests.map(({ body }) => body)).toEqual([{ event_ids: ['a'] }, { event_ids: ['a', 'b'] }])
  })
})
