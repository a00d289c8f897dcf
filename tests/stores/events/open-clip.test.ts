// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Event, EventResource } from '../../../contract/events/events.ts'
import { $clip, retryClip, syncOpenEvent } from '../../../src/stores/events/open-clip.ts'
import { syncEventUrl } from '../../../src/stores/events/event-url.ts'
import { stubApiResponses } from '../../support/client.ts'
import { WAIT_OPTIONS } from '../../support/patience.ts'

const NOW_MS = new Date(2026, 10, 20, 12).getTime()
const createEvent = (resource: Partial<EventResource> = {}): Event => ({
  event_id: 'e1',
  device_id: 'CAM1',
  event_ts: NOW_MS,
  tags: ['4'],
  event_values: [],
  title: 'Motion',
  event_resources: [
    { begin_time: NOW_MS, end_time: NOW_MS + 9000, resource_version: 1, resource_type: 's3', ...resource },
  ],
  reviewed: true,
})
const replayResponse = (data: object = {}) => ({
  code: 200,
  data: { replay_url: 'https://provider.example/clip', mime: 'video/mp4', ...data },
})
const DIRECT_CLIP = { state: 'ready', url: '/m/clip/e1', mime: 'video/mp4', isIncomplete: false }

/** Opens the clip while the replay call waits. Returns a function that sends the response of the call. */
async function openWithHeldReplay(event: Event): Promise<(response: unknown) => void> {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  stubApiResponses({ 'get-event': { code: 200, data: event }, replay_url: () => promise })
  history.replaceState(null, '', '/events?event=e1&camera=CAM1')
  stops.push(syncEventUrl(), syncOpenEvent())
  await vi.waitFor(() => expect($clip.get()).toMatchObject({ event: { event_id: 'e1' } }), WAIT_OPTIONS)
  return resolve
}
const expectClip = (clip: object) => vi.waitFor(() => expect($clip.get()).toMatchObject(clip), WAIT_OPTIONS)

const stops: (() => void)[] = []
beforeEach(() => history.replaceState(null, '', '/events'))
afterEach(() => stops.splice(0).forEach((stop) => stop()))

describe('a stored clip', () => {
  test('CLIP-01 plays before the replay call responds, and then gets its detections', async () => {
    const respond = await openWithHeldReplay(createEvent())
    expect($clip.get()).toMatchObject({ ...DIRECT_CLIP, found: [], isUnconfirmed: true })
    const found = [{ kind: 'person', boxes: [[0, 10, 10, 20, 20]] }]
    respond(replayResponse({ found }))
    await expectClip({ ...DIRECT_CLIP, isUnconfirmed: false })
    expect($clip.get()).toHaveProperty('found.length', 1)
  })

  test('is replaced by the reason if it was deleted or is no longer shared', async () => {
    const respond = await openWithHeldReplay(createEvent())
    respond({ code: 404 })
    await expectClip({ state: 'missing', event: { event_id: 'e1' }, text: 'No clip for this event.' })
  })

  test('keeps playing if the replay call fails, and knows the failure in case the video does not play', async () => {
    const respond = await openWithHeldReplay(createEvent())
    respond({ code: 500 })
    await expectClip({ ...DIRECT_CLIP, isUnconfirmed: false, failure: { status: 500 } })
  })

  test('loads again when the user retries', async () => {
    const respond = await openWithHeldReplay(createEvent())
    respond({ code: 500 })
    await expectClip({ failure: { status: 500 } })
    const before = $clip.get() as { opening?: number }
    stubApiResponses({ 'get-event': { code: 200, data: createEvent() }, replay_url: replayResponse() })
    retryClip()
    await expectClip({ ...DIRECT_CLIP, isUnconfirmed: false })
    expect($clip.get()).not.toHaveProperty('failure')
    expect($clip.get()).not.toMatchObject({ opening: before.opening })
  })
})

test('CLIP-07 a clip whose playlist only the replay call names waits for that call', async () => {
  const respond = await openWithHeldReplay(createEvent({ resource_type: 'kvs', resource_version: 5 }))
  expect($clip.get().state).toBe('loading')
  respond(replayResponse({ mime: 'application/vnd.apple.mpegurl' }))
  await expectClip({ state: 'ready', url: 'https://provider.example/clip' })
})
