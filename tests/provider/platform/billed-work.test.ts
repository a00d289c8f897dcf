import { afterAll, beforeAll, expect, test } from 'vitest'
import { getNotifications } from '../../../contract/account/notifications.ts'
import { getSubscriptions } from '../../../contract/billing/subscriptions.ts'
import { BRIDGE_PATHS } from '../../../contract/bridge/bridge-protocol.ts'
import { getHomeDevices, getHomes } from '../../../contract/cameras/devices.ts'
import { eventHistory, getEventList, type EventListRequest } from '../../../contract/events/events.ts'
import { feedTicket } from '../../../contract/events/feed-and-review-calls.ts'
import { cameraStates, timeline } from '../../../contract/events/timeline.ts'
import { getStreams } from '../../../contract/live/live-calls.ts'
import { onboardingRegister, search } from '../../../contract/search/search-calls.ts'
import { DAY_MS, HOUR_MS } from '../../../contract/time-units.ts'
import type { Call } from '../../../contract/wire/call.ts'
import { EVENT_QUERY_COUNT, ORDER_NEWEST_FIRST, SEARCH_LIMIT } from '../../../contract/wire/constants.ts'
import { measureWorkPerAction, readWorkUntilIdle, type WorkPerAction } from '../../support/billed-work/billed-work.ts'
import { createBridgeEvent, openNeighborhood, type Neighborhood } from '../../support/home.ts'

const TIMES = 10
const CAMERA = 'door'
/** Per deleting step: the queued objects (written and deleted), and the log. Once: the counters of the day. */
const ROWS_PER_DELETING_STEP = 8
const now = Date.now()

let neighborhood: Neighborhood
beforeAll(async () => {
  neighborhood = await openNeighborhood({ countsWork: true })
  await neighborhood.call(neighborhood.a, onboardingRegister)
  await neighborhood.a.bridge.register(CAMERA)
  await neighborhood.a.bridge.postEvent(createBridgeEvent(CAMERA, 'event_first', { event_ts: now }))
})
afterAll(() => neighborhood.close())

const measure = (action: (n: number) => Promise<{ readonly status: number }>): Promise<WorkPerAction> =>
  measureWorkPerAction(neighborhood.stage.provider, TIMES, async (n) => expect((await action(n)).status).toBe(200))

function expectWithin(work: WorkPerAction, maximum: WorkPerAction): void {
  expect(work.rowsWritten, 'rows written').toBeLessThanOrEqual(maximum.rowsWritten)
  expect(work.objectRequests, 'requests to Durable Objects').toBeLessThanOrEqual(maximum.objectRequests)
  expect(work.d1Queries, 'round trips to D1').toBeLessThanOrEqual(maximum.d1Queries)
}

const range = { begin_time: now - DAY_MS, end_time: now }
const eventQuery: EventListRequest = {
  ...range,
  count: EVENT_QUERY_COUNT,
  device_id_list: [],
  event_tag_list: [],
  event_value_list: [],
  order_by: ORDER_NEWEST_FIRST,
}
const searchQuery = {
  device_macs_to_include: [],
  event_tags_to_include: [],
  limit: SEARCH_LIMIT,
  query: 'person at the door',
  start_ts: now - DAY_MS,
  end_ts: now,
}

interface CallBudget extends WorkPerAction {
  readonly call: Call
  readonly input?: Record<string, unknown>
}

const budget = (rowsWritten: number, objectRequests: number, d1Queries: number): WorkPerAction => ({
  rowsWritten,
  objectRequests,
  d1Queries,
})

/** A call with a nonce writes one row. docs/scale.md lists the budgets. */
const CALLS: Readonly<Record<string, CallBudget>> = {
  homes: { call: getHomes, ...budget(1, 1, 0) },
  cameras: { call: getHomeDevices, input: { device_category: 'camera', env: 'prod' }, ...budget(1, 2, 0) },
  'event history': { call: eventHistory, input: eventQuery, ...budget(1, 2, 0) },
  'event list': { call: getEventList, input: eventQuery, ...budget(1, 2, 0) },
  timeline: { call: timeline, input: { ...range, device_ids: [CAMERA] }, ...budget(1, 3, 0) },
  'camera states': { call: cameraStates, input: { ...range, device_id: CAMERA }, ...budget(1, 2, 0) },
  'feed ticket': { call: feedTicket, ...budget(1, 1, 0) },
  streams: { call: getStreams, input: { device_list: [{ device_id: CAMERA }] }, ...budget(1, 2, 0) },
  notifications: { call: getNotifications, ...budget(0, 1, 1) },
  subscriptions: { call: getSubscriptions, ...budget(0, 1, 2) },
  search: { call: search, input: searchQuery, ...budget(3, 2, 1) },
}

test.each(Object.entries(CALLS))('a call stays within its budget: %s', async (_name, { call, input, ...maximum }) => {
  const { a } = neighborhood
  expectWithin(await measure(() => neighborhood.call(a, call, input, { uuid: a.userId })), maximum)
})

test('an event without a clip stays within its budget', async () => {
  const { bridge } = neighborhood.a
  const work = await measure((n) =>
    bridge.postEvent(createBridgeEvent(CAMERA, `event_plain_${n}`, { event_ts: now - n * 1000 })),
  )
  expectWithin(work, budget(6, 1, 1))
})

const moments = [{ at_s: 0, text: 'A courier leaves a parcel at the door.' }]
const BYTES = Buffer.alloc(1000)
function attachClip(event_id: string, event_ts: number, clip: object): Promise<{ readonly status: number }> {
  const resource = { begin_time: event_ts, end_time: event_ts + 10_000, resource_version: 1, resource_type: 's3' }
  const request = { event_id, device_id: CAMERA, thumb_object: null, event_resources: [resource], ...clip }
  return neighborhood.a.bridge.send('POST', BRIDGE_PATHS.clip, request)
}

test('an event with a clip, a thumbnail and a description stays within its budget', async () => {
  const { bridge } = neighborhood.a
  const work = await measure(async (n) => {
    const [event_id, event_ts] = [`event_clip_${n}`, now - n * 60_000]
    const event = createBridgeEvent(CAMERA, event_id, { event_ts, moments, clip_state: 'uploading' })
    const early = { jpeg: Buffer.alloc(100).toString('base64'), clip_length: BYTES.length }
    const { clip_grant } = (await bridge.send('POST', BRIDGE_PATHS.events, { event, early })).body as {
      clip_grant: { object: string; url: string }
    }
    await fetch(clip_grant.url, { method: 'PUT', headers: { 'content-type': 'video/mp4' }, body: BYTES })
    return attachClip(event_id, event_ts, { clip_object: clip_grant.object, thumb_length: 100 })
  })
  expectWithin(work, budget(7, 2, 2))
})

test('the same event from an earlier bridge, which uploads the thumbnail, stays within its budget', async () => {
  const { bridge } = neighborhood.a
  const work = await measure(async (n) => {
    const [event_id, event_ts] = [`event_upload_${n}`, now - n * 60_000]
    const thumb_object = await bridge.upload(CAMERA, 'thumb', event_id, BYTES)
    await bridge.postEvent(
      createBridgeEvent(CAMERA, event_id, { event_ts, thumb_object, moments, clip_state: 'uploading' }),
    )
    const clip_object = await bridge.upload(CAMERA, 'clip', event_id, BYTES)
    return attachClip(event_id, event_ts, { clip_object })
  })
  expectWithin(work, budget(8, 4, 4))
})

test('the deletion of events and of their tombstones stays within its budget', async () => {
  const { stage, bindings, a } = neighborhood
  const home = bindings.HOMES.getByName(a.homeId)
  const runAt = async (at: number) => {
    await home.runRetentionStep(at)
    return (await readWorkUntilIdle(stage.provider)).rowsWritten
  }
  await runAt(now - 15 * DAY_MS)
  // The second step counts the events of the ended day. Their deletion then changes the counters.
  await runAt(now + 3 * DAY_MS)
  const stepRows = await runAt(now + 3 * DAY_MS + HOUR_MS)
  const expiryRows = (await runAt(now + 50 * DAY_MS)) - stepRows
  const [{ events } = { events: 0 }] = (await home.readRetentionLog()).deleted
  const rows = expiryRows + (await runAt(now + 200 * DAY_MS)) - stepRows
  expect(events).toBeGreaterThan(2 * TIMES)
  expect((rows - ROWS_PER_DELETING_STEP) / events, 'rows written per event').toBeLessThanOrEqual(4)
})
