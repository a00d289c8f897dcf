// @vitest-environment jsdom
import { atom } from 'nanostores'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Event } from '../../../contract/events/events.ts'
import type { FeedMessage } from '../../../contract/events/feed.ts'
import { watchAnomalies } from '../../../src/stores/events/anomalies.ts'
import { $clip, syncOpenEvent } from '../../../src/stores/events/open-clip.ts'
import { syncWithUrl } from '../../../src/stores/events/event-url.ts'
import type { EventListState } from '../../../src/stores/events/event-list.ts'
import { loadEventsByIds } from '../../../src/stores/events/events-by-ids.ts'
import { $inView, $unusual } from '../../../src/stores/events/visible-events.ts'
import { watchMissedEvents } from '../../../src/stores/events/feed-catch-up.ts'
import { openFeed } from '../../../src/stores/home/feed.ts'
import { answerWith, type SentRequest } from '../../support/client.ts'
import { patience } from '../../support/patience.ts'

const NOW = Date.now()
const event = (event_id: string, event_ts = NOW): Event => ({
  ...{ event_id, device_id: 'CAM1', event_ts, tags: ['4'], event_values: [], title: 'Motion' },
  ...{ event_resources: [], reviewed: false },
})
const byIds = (...event_list: Event[]) => ({ code: 200, data: { event_list } })
const questions = (requests: readonly SentRequest[], name: string) => requests.filter(({ path }) => path.endsWith(name))

const stops: (() => void)[] = []
beforeEach(() => history.replaceState(null, '', '/events'))
afterEach(() => {
  stops.splice(0).forEach((stop) => stop())
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('unlisted events', () => {
  test('EVENT-26 CALL-39 come in the order of the requested ids', async () => {
    const requests = answerWith({ 'get-event-list-by-ids': byIds(event('a'), event('b'), event('c')) })
    const answer = await loadEventsByIds(['c', 'gone', 'a', 'b'])
    expect(answer.ok && answer.data.map(({ event_id }) => event_id)).toEqual(['c', 'a', 'b'])
    expect(requests[0]?.body).toEqual({ event_id_list: ['c', 'gone', 'a', 'b'] })
  })

  test('CALL-39 are requested by id, without the list, if a link names no camera', async () => {
    const requests = answerWith({ 'get-event-list-by-ids': byIds(event('linked')) })
    history.replaceState(null, '', '/events?event=linked')
    stops.push(syncWithUrl(), syncOpenEvent())
    await vi.waitFor(
      () => expect($clip.get()).toMatchObject({ state: 'missing', event: { event_id: 'linked' } }),
      patience,
    )
    expect(questions(requests, 'get-event-list-by-ids')).toHaveLength(1)
  })

  test('CALL-39 a link to a missing event says so, and a link without a response can be retried', async () => {
    answerWith({ 'get-event-list-by-ids': byIds() })
    history.replaceState(null, '', '/events?event=gone')
    stops.push(syncWithUrl(), syncOpenEvent())
    await vi.waitFor(() => expect($clip.get()).toMatchObject({ state: 'missing', event: null }), patience)
    stops.splice(0).forEach((stop) => stop())
    answerWith({})
    stops.push(syncWithUrl(), syncOpenEvent())
    await vi.waitFor(() => expect($clip.get()).toMatchObject({ state: 'failed', event: null }), patience)
  })

  test('are closed during synced playback and requested again afterwards', async () => {
    const requests = answerWith({ 'get-event-list-by-ids': byIds(event('linked')) })
    const goTo = (address: string) => {
      history.replaceState(null, '', address)
      window.dispatchEvent(new PopStateEvent('popstate'))
    }
    goTo('/events?event=linked')
    stops.push(syncWithUrl(), syncOpenEvent())
    await vi.waitFor(() => expect($clip.get().state).toBe('missing'), patience)
    goTo(`/events?event=linked&at=${NOW}`)
    expect($clip.get().state).toBe('none')
    goTo('/events?event=linked')
    await vi.waitFor(() => expect($clip.get().state).toBe('missing'), patience)
    expect(questions(requests, 'get-event-list-by-ids')).toHaveLength(2)
  })
})

describe('clip of a missed event', () => {
  const lines: { onmessage?: (message: { data: string }) => void }[] = []
  const clip = (event_id: string, begin_time = NOW): FeedMessage => ({
    type: 'clip',
    event_id,
    resource: { begin_time, end_time: begin_time + 1000, resource_version: 1, resource_type: 's3' },
  })
  const pushMessage = (message: FeedMessage) => lines.at(-1)?.onmessage?.({ data: JSON.stringify(message) })

  test('CALL-39 is shown with its event, requested by id, but not for other days or listed events', async () => {
    const requests = answerWith({
      'feed-ticket': { code: 200, data: { url: 'wss://feed.example/' } },
      'get-event-list-by-ids': byIds(event('missed')),
    })
    vi.stubGlobal('WebSocket', function (this: (typeof lines)[number]) {
      lines.push(this)
    })
    openFeed()
    await vi.waitFor(() => expect(lines).toHaveLength(1), patience)
    const $list = atom<EventListState>({ state: 'ready', events: [event('here')], filling: false, shortfall: null })
    // Like the real event list, this list needs `hear` to be called as a method.
    const list = {
      $list,
      heard: [] as FeedMessage[],
      hear(message: FeedMessage) {
        this.heard.push(message)
      },
    }
    stops.push(syncWithUrl(), watchMissedEvents(list))
    pushMessage(clip('here'))
    pushMessage(clip('of another month', NOW - 90 * 86_400_000))
    expect(questions(requests, 'get-event-list-by-ids')).toEqual([])
    pushMessage(clip('missed'))
    await vi.waitFor(() => expect(list.heard).toEqual([{ type: 'event', event: event('missed') }]), patience)
    expect(questions(requests, 'get-event-list-by-ids').map(({ body }) => body)).toEqual([
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
    const all = answerWith({ batch: answer('odd', 'usual') })
    const listRequests = () => questions(all, '/events/anomaly/batch')
    $inView.set(['odd', 'usual'])
    stops.push(watchAnomalies())
    await vi.advanceTimersByTimeAsync(299)
    expect(listRequests()).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(listRequests().map(({ body }) => body)).toEqual([{ event_ids: ['odd', 'usual'] }])
    expect([...$unusual.get()]).toEqual([['odd', 'Pet at night.']])

    const many = Array.from({ length: 250 }, (_, i) => `e${i}`)
    $inView.set(['odd', ...many])
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
    const all = answerWith({})
    stops.push(watchAnomalies())
    $inView.set(['gone by'])
    await vi.advanceTimersByTimeAsync(200)
    $inView.set(['a'])
    await vi.advanceTimersByTimeAsync(300)
    $inView.set(['a', 'b'])
    await vi.advanceTimersByTimeAsync(300)
    const anomalyRequests = questions(all, '/events/anomaly/batch')
    expect(anomalyRequests.map(({ body }) => body)).toEqual([{ event_ids: ['a'] }, { event_ids: ['a', 'b'] }])
  })
})
