// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Event } from '../../../contract/events/events.ts'
import { $eventUrl, syncEventUrl } from '../../../src/stores/events/event-url.ts'
import {
  $clipSources,
  $syncedPlayback,
  closeSyncedPlayback,
  syncPlaybackWithUrl,
  saveMomentInUrl,
  openSyncedMoment,
  retrySyncedPlayback,
} from '../../../src/stores/events/synced-playback.ts'
import { stubApiResponses } from '../../support/client.ts'
import { WAIT_OPTIONS } from '../../support/patience.ts'

const MOMENT_MS = Date.UTC(2026, 10, 22, 9, 41)
const createEvent = (event_id: string, device_id: string, from: number): Event => ({
  event_id,
  device_id,
  event_ts: MOMENT_MS + from,
  tags: ['4'],
  event_values: [],
  title: event_id,
  reviewed: false,
  event_resources: [
    { begin_time: MOMENT_MS + from, end_time: MOMENT_MS + from + 20_000, resource_version: 1, resource_type: 's3' },
  ],
})
const homeResponses = {
  home: { code: 1, data: [] },
  'get-home-devices': { code: 1, data: { device_list: [], sort_type: 0, sort_direction: 0 } },
}
const eventsResponse = {
  code: 200,
  data: { event_list: [createEvent('courier', 'DRIVE', -5000), createEvent('cat', 'DOOR', -9000)] },
}

const stops: (() => void)[] = []
beforeEach(() => history.replaceState(null, '', '/events'))
afterEach(() => stops.splice(0).forEach((stop) => stop()))

const openUrl = (url: string) => {
  history.replaceState(null, '', url)
  stops.push(syncEventUrl(), syncPlaybackWithUrl())
}
const waitUntilReady = () =>
  vi.waitFor(() => expect($syncedPlayback.get()).toMatchObject({ state: 'ready' }), WAIT_OPTIONS)
const listCameraIds = () => {
  const same = $syncedPlayback.get()
  return same.state === 'ready' ? same.cameras.map(({ deviceId }) => deviceId) : []
}

test('a URL with a moment loads the clips around it, the clip it was opened from first', async () => {
  const requests = stubApiResponses({ ...homeResponses, history: eventsResponse, 'get-event-list': eventsResponse })
  openUrl(`/events?event=cat&at=${MOMENT_MS}`)
  await waitUntilReady()
  expect(listCameraIds()).toEqual(['DOOR', 'DRIVE'])
  const lists = requests.filter(({ path }) => /history$|get-event-list$/.test(path))
  expect(lists).toHaveLength(1)
  const { begin_time, end_time } = lists[0]?.body as { begin_time: number; end_time: number }
  expect([begin_time <= MOMENT_MS - 180_000, end_time >= MOMENT_MS + 60_000]).toEqual([true, true])
})

test('a clip that cannot play shows the reason and does not hold up other clips', async () => {
  stubApiResponses({ ...homeResponses, history: eventsResponse, 'get-event-list': eventsResponse })
  openUrl(`/events?at=${MOMENT_MS}`)
  await vi.waitFor(() => expect($clipSources.get().size).toBe(2), WAIT_OPTIONS)
  expect($clipSources.get().get('cat')).toMatchObject({ state: 'missing', text: expect.stringMatching(/\w/) })
})

test('a moment opens in a new history entry, moves within it, and Back leaves it', async () => {
  stubApiResponses({ ...homeResponses, history: eventsResponse, 'get-event-list': eventsResponse })
  openUrl('/events?event=cat&camera=DOOR')
  const before = history.length
  openSyncedMoment(MOMENT_MS)
  await waitUntilReady()
  expect(history.length).toBe(before + 1)
  openSyncedMoment(MOMENT_MS + 1000)
  expect(history.length).toBe(before + 1)
  saveMomentInUrl(MOMENT_MS + 2500)
  expect(location.search).toBe(`?event=cat&camera=DOOR&at=${MOMENT_MS + 2500}`)
  closeSyncedPlayback()
  await vi.waitFor(() => expect($syncedPlayback.get()).toEqual({ state: 'none' }), WAIT_OPTIONS)
  expect($eventUrl.get().open).toMatchObject({ eventId: 'cat' })
})

test('a missing response is reported in place and can be retried', async () => {
  stubApiResponses(homeResponses)
  openUrl(`/events?at=${MOMENT_MS}`)
  await vi.waitFor(() => expect($syncedPlayback.get()).toMatchObject({ state: 'failed' }), WAIT_OPTIONS)
  stubApiResponses({ ...homeResponses, history: eventsResponse, 'get-event-list': eventsResponse })
  retrySyncedPlayback()
  await waitUntilReady()
  expect(listCameraIds()).toEqual(['DOOR', 'DRIVE'].toSorted())
})
