// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Event } from '../../../contract/events/events.ts'
import { $address, syncWithUrl } from '../../../src/stores/events/event-url.ts'
import {
  $clipsFrom,
  $sameTime,
  closeMoment,
  syncPlaybackWithUrl,
  saveMomentInUrl,
  openMoment,
  retrySameTime,
} from '../../../src/stores/events/synced-playback.ts'
import { answerWith } from '../../support/client.ts'
import { patience } from '../../support/patience.ts'

const AT = Date.UTC(2026, 10, 22, 9, 41)
const event = (event_id: string, device_id: string, from: number): Event => ({
  ...{ event_id, device_id, event_ts: AT + from, tags: ['4'], event_values: [], title: event_id, reviewed: false },
  event_resources: [{ begin_time: AT + from, end_time: AT + from + 20_000, resource_version: 1, resource_type: 's3' }],
})
const home = {
  home: { code: 1, data: [] },
  'get-home-devices': { code: 1, data: { device_list: [], sort_type: 0, sort_direction: 0 } },
}
const events = { code: 200, data: { event_list: [event('courier', 'DRIVE', -5000), event('cat', 'DOOR', -9000)] } }

const stops: (() => void)[] = []
beforeEach(() => history.replaceState(null, '', '/events'))
afterEach(() => stops.splice(0).forEach((stop) => stop()))

const openUrl = (address: string) => {
  history.replaceState(null, '', address)
  stops.push(syncWithUrl(), syncPlaybackWithUrl())
}
const ready = () => vi.waitFor(() => expect($sameTime.get()).toMatchObject({ state: 'ready' }), patience)
const cameras = () => {
  const same = $sameTime.get()
  return same.state === 'ready' ? same.cameras.map(({ deviceId }) => deviceId) : []
}

test('a URL with a moment loads the clips around it, the clip it was opened from first', async () => {
  const requests = answerWith({ ...home, history: events, 'get-event-list': events })
  openUrl(`/events?event=cat&at=${AT}`)
  await ready()
  expect(cameras()).toEqual(['DOOR', 'DRIVE'])
  const lists = requests.filter(({ path }) => /history$|get-event-list$/.test(path))
  expect(lists).toHaveLength(1)
  const { begin_time, end_time } = lists[0]?.body as { begin_time: number; end_time: number }
  expect([begin_time <= AT - 180_000, end_time >= AT + 60_000]).toEqual([true, true])
})

test('a clip that cannot play shows the reason and does not hold up other clips', async () => {
  answerWith({ ...home, history: events, 'get-event-list': events })
  openUrl(`/events?at=${AT}`)
  await vi.waitFor(() => expect($clipsFrom.get().size).toBe(2), patience)
  expect($clipsFrom.get().get('cat')).toMatchObject({ state: 'missing', text: expect.stringMatching(/\w/) })
})

test('a moment opens in a new history entry, moves within it, and Back leaves it', async () => {
  answerWith({ ...home, history: events, 'get-event-list': events })
  openUrl('/events?event=cat&camera=DOOR')
  const before = history.length
  openMoment(AT)
  await ready()
  expect(history.length).toBe(before + 1)
  openMoment(AT + 1000)
  expect(history.length).toBe(before + 1)
  saveMomentInUrl(AT + 2500)
  expect(location.search).toBe(`?event=cat&camera=DOOR&at=${AT + 2500}`)
  closeMoment()
  await vi.waitFor(() => expect($sameTime.get()).toEqual({ state: 'none' }), patience)
  expect($address.get().open).toMatchObject({ eventId: 'cat' })
})

test('a missing response is reported in place and can be retried', async () => {
  answerWith(home)
  openUrl(`/events?at=${AT}`)
  await vi.waitFor(() => expect($sameTime.get()).toMatchObject({ state: 'failed' }), patience)
  answerWith({ ...home, history: events, 'get-event-list': events })
  retrySameTime()
  await ready()
  expect(cameras()).toEqual(['DOOR', 'DRIVE'].toSorted())
})
