import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { getHomeDevices } from '../../../../contract/cameras/devices.ts'
import * as details from '../../../../contract/events/event-calls.ts'
import { eventHistory, getEventList } from '../../../../contract/events/events.ts'
import { reviewEvents } from '../../../../contract/events/feed-and-review-calls.ts'
import { listCollectionPeople } from '../../../../contract/events/faces.ts'
import { eventFeedback } from '../../../../contract/events/feedback.ts'
import { shareCamera } from '../../../../contract/cameras/owner-calls.ts'
import { getSubscriptions } from '../../../../contract/billing/subscriptions.ts'
import { onboardingRegister, search } from '../../../../contract/search/search-calls.ts'
import { exportAccountData } from '../../../../contract/account/data-export.ts'
import { deleteEvents, exportClips, timeline } from '../../../../contract/events/timeline.ts'
import {
  createBridgeEvent,
  openNeighborhood,
  RECENT_TIME_MS,
  type Household,
  type Neighborhood,
} from '../../../support/home.ts'
import { DAY_MS } from '../../../../contract/time-units.ts'

const now = Date.now()
const OLD_TIME = RECENT_TIME_MS - 3 * DAY_MS
const FREE_TYPE = '101'
const PAID_TYPE = '12'

let neighborhood: Neighborhood
/**
 * Registers the cameras `door` and `yard` of household a. Each camera has one event from three days ago and two events
 * from about two hours ago. The later of these two events has a type that only paid plans show.
 */
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  for (const device of ['door', 'yard']) {
    await neighborhood.a.bridge.register(device)
    await addEvent(device, 'old', OLD_TIME, FREE_TYPE, 'Maya')
    await addEvent(device, 'today', RECENT_TIME_MS, FREE_TYPE, 'Sam')
    await addEvent(device, 'paid', RECENT_TIME_MS + 60_000, PAID_TYPE, 'Ida')
  }
  await getHome().runRetentionStep(now - 15 * DAY_MS)
  for (const household of [neighborhood.a, neighborhood.b]) await neighborhood.call(household, onboardingRegister)
  await neighborhood.call(neighborhood.a, shareCamera, { device_id: 'yard', email: 'b@example.com', role: 2 })
})
afterAll(() => neighborhood.close())

const getHome = () => neighborhood.bindings.HOMES.getByName('home_a')
async function addEvent(device: string, name: string, event_ts: number, tag: string, person: string) {
  const id = `${device}_${name}`
  const clip_object = await neighborhood.a.bridge.upload(device, 'clip', id, Buffer.from(id))
  const thumb_object = await neighborhood.a.bridge.upload(device, 'thumb', id, Buffer.from(id))
  const range = { begin_time: event_ts, end_time: event_ts + 10_000, resource_version: 1 }
  const resource = { ...range, resource_type: 's3' as const }
  const fields = { title: 'A courier', tags: [tag], event_values: [person], event_resources: [resource] }
  await neighborhood.a.bridge.postEvent(
    createBridgeEvent(device, id, { ...fields, event_ts, clip_object, thumb_object }),
  )
}

/** Sets the plan of household a. `bound`: the camera that its license covers. */
async function setPlan(sku: string, change: { status?: string; renews_at?: number; bound?: string } = {}) {
  const { status = 'active', renews_at = 0, bound } = change
  const { DB } = neighborhood.bindings
  await DB.batch([
    DB.prepare("DELETE FROM bindings WHERE subscription_id = 'user_a'"),
    DB.prepare("UPDATE subscriptions SET sku = ?, status = ?, renews_at = ? WHERE subscription_id = 'user_a'").bind(
      sku,
      status,
      renews_at,
    ),
    ...(bound
      ? [DB.prepare("INSERT INTO bindings (device_id, subscription_id, bound_at) VALUES (?, 'user_a', 0)").bind(bound)]
      : []),
  ])
}
const endPlan = () => setPlan('unlimited', { status: 'cancelled', renews_at: now - 1 })
beforeEach(() => setPlan('cam-ai', { bound: 'door' }))

const ALL_IDS = ['door', 'yard'].flatMap((device) => ['old', 'today', 'paid'].map((name) => `${device}_${name}`))
/** Ids of the events that are visible while a license covers the camera `door`. */
const LICENSED_IDS = ['door_old', 'door_paid', 'door_today', 'yard_today']
const FREE_IDS = ['door_today', 'yard_today']
type EventRows = { event_id: string }[]
const toSortedIds = (rows: EventRows) => rows.map(({ event_id }) => event_id).toSorted()
const allEventsQuery = { device_id_list: [], event_tag_list: [], event_value_list: [], order_by: 2, count: 10_000 }
const range = { begin_time: now - 40 * DAY_MS, end_time: now + DAY_MS }

async function listHistory(household: Household = neighborhood.a) {
  return toSortedIds(
    (await neighborhood.call(household, eventHistory, { ...allEventsQuery, ...range })).body.data.event_list,
  )
}
const toEventKey = (id: string) => ({ device_id: id.split('_')[0] ?? '', event_id: id })
/** Returns the ids of the events for which the call returns 200. Asserts that it returns 404 for all other events. */
async function listAccessible(call: (id: string) => Promise<{ status: number }>): Promise<string[]> {
  const statuses = await Promise.all(ALL_IDS.map(async (id) => [id, (await call(id)).status] as const))
  for (const [, status] of statuses) expect([200, 404]).toContain(status)
  return statuses.flatMap(([id, status]) => (status === 200 ? [id] : [])).toSorted()
}
const startTimes = { old: OLD_TIME, today: RECENT_TIME_MS, paid: RECENT_TIME_MS + 60_000 }
function replay(id: string) {
  const start = startTimes[id.split('_')[1] as keyof typeof startTimes]
  return neighborhood.call(neighborhood.a, details.replayArchive, {
    device_id: toEventKey(id).device_id,
    product_model: 'PL-1',
    resource_version: '1',
    resource_type: 's3',
    start_time: String(start),
    end_time: String(start + 10_000),
    is_live: 'false',
  })
}

/** Calls that can reveal events. Each function returns the event ids that the response reveals. */
const REVEALING_CALLS: Record<string, () => Promise<string[]>> = {
  'CALL-37 event/history': () => listHistory(),
  'CALL-24 get-event': () =>
    listAccessible((id) => neighborhood.call(neighborhood.a, details.getEvent, toEventKey(id))),
  'CALL-39 get-event-list-by-ids': async () => {
    const { body } = await neighborhood.call(neighborhood.a, details.getEventListByIds, { event_id_list: ALL_IDS })
    return toSortedIds(body.data.event_list)
  },
  'CALL-42 events/anomaly': async () => {
    const { body } = await neighborhood.call(neighborhood.a, details.anomalyBatch, { event_ids: ALL_IDS })
    return toSortedIds(body.data.anomalies)
  },
  'CALL-26 replay_url': () => listAccessible(replay),
  'EXT-export': async () => {
    const files = ALL_IDS.map((event_id) => ({ event_id, name: `${event_id}.mp4` }))
    const { body } = await neighborhood.call(neighborhood.a, exportClips, { files })
    return ALL_IDS.filter((id) => !body.data.missing.includes(id)).toSorted()
  },
  'EXT-take': async () => {
    const { body } = await neighborhood.call(neighborhood.a, exportAccountData, { zone: 'UTC' })
    // The archive stores the table of events uncompressed.
    const archive = await (await fetch(body.data.url)).text()
    return ALL_IDS.filter((id) => archive.includes(`,${id}\r\n`)).toSorted()
  },
  'CALL-44 feedback': () =>
    listAccessible((id) => neighborhood.call(neighborhood.a, eventFeedback, { feedback: 'right' }, { event_id: id })),
  'EXT-review': () =>
    listAccessible((id) => neighborhood.call(neighborhood.a, reviewEvents, { event_ids: [id], reviewed: true })),
}

describe('OPEN-147 immediate hiding of events that a plan does not retain', () => {
  test.each(Object.entries(REVEALING_CALLS))('%s', async (_, listVisible) => {
    expect(await listVisible()).toEqual(LICENSED_IDS)
    await setPlan('unlimited')
    expect(await listVisible()).toEqual(ALL_IDS.toSorted())
    await endPlan()
    expect(await listVisible()).toEqual(FREE_IDS)
  })

  test('CALL-38 get-event-list shows only free types, as long as each camera retains them', async () => {
    const { body } = await neighborhood.call(neighborhood.a, getEventList, { ...allEventsQuery, ...range })
    expect(toSortedIds(body.data.event_list)).toEqual(['door_old', 'door_today', 'yard_today'])
  })

  test('CALL-46 the search finds what cameras with a search plan retain, for guests too', async () => {
    const find = (household: Household) =>
      neighborhood.call(household, search, {
        device_macs_to_include: [],
        event_tags_to_include: [],
        limit: 50,
        query: 'courier',
        start_ts: now - 40 * DAY_MS,
        end_ts: now + DAY_MS,
      })
    const found = async (household = neighborhood.a) =>
      toSortedIds((await find(household)).body.data.events.map((match: { event: EventRows[number] }) => match.event))
    expect(await found()).toEqual(['door_old', 'door_paid', 'door_today'])
    expect(await found(neighborhood.b)).toEqual([])
    await setPlan('pro')
    expect([await found(), await found(neighborhood.b)]).toEqual([
      ALL_IDS.toSorted(),
      ALL_IDS.filter((id) => id.startsWith('yard')).toSorted(),
    ])
    await endPlan()
    expect((await find(neighborhood.a)).status).toBe(403)
  })

  test('CALL-58 OPEN-166 people come only from visible events of cameras whose plan includes them', async () => {
    const listPeople = async () => {
      const { body } = await neighborhood.call(neighborhood.a, listCollectionPeople, {}, { collection_id: 'home_a' })
      return body.data.people
        .map((person: { name: string; events: number }) => `${person.name} ${person.events}`)
        .toSorted()
    }
    expect(await listPeople()).toEqual(['Ida 1', 'Maya 1', 'Sam 1'])
    await setPlan('unlimited')
    expect(await listPeople()).toContain('Sam 2')
    await endPlan()
    expect(await listPeople()).toEqual([])
  })

  test('a clip URL that was created earlier no longer opens the clip', async () => {
    await setPlan('unlimited')
    const { body } = await replay('yard_old')
    const openClip = async () => {
      const response = await fetch(body.data.replay_url)
      return [response.status, response.status === 200 ? await response.text() : '']
    }
    expect(await openClip()).toEqual([200, 'yard_old'])
    await setPlan('cam-ai', { bound: 'door' })
    expect((await openClip())[0]).toBe(404)
    await setPlan('cam-ai', { bound: 'yard' })
    expect(await openClip()).toEqual([200, 'yard_old'])
  })

  test('the timeline reports hidden events as not_kept, for each camera', async () => {
    const states = async (begin_time: number) => {
      const query = { device_ids: ['door', 'yard'], begin_time, end_time: begin_time + 10_000 }
      const { body } = await neighborhood.call(neighborhood.a, timeline, query)
      return body.data.devices.map(({ runs }: { runs: unknown[][] }) => [runs.length, runs[0]?.[2]])
    }
    expect(await states(OLD_TIME)).toEqual([
      [1, 'recorded'],
      [1, 'not_kept'],
    ])
    expect(await states(RECENT_TIME_MS + 60_000)).toEqual([
      [1, 'recorded'],
      [1, 'not_kept'],
    ])
  })

  test('hidden events cannot be deleted either', async () => {
    expect((await neighborhood.call(neighborhood.a, deleteEvents, { event_ids: ['yard_old'] })).status).toBe(404)
  })

  test('CALL-40 CALL-28 each camera is returned with its retention days and whether a plan covers it', async () => {
    const { body } = await neighborhood.call(neighborhood.a, details.retentionPolicy)
    const days = body.data.devices.map((device: { device_id: string; days: number }) => [device.device_id, device.days])
    expect([body.data.days, days.toSorted()]).toEqual([
      14,
      [
        ['door', 14],
        ['yard', 1],
      ],
    ])
    const input = { device_category: 'camera', env: 'test' }
    const response = await neighborhood.call(neighborhood.b, getHomeDevices, input)
    expect(response.body.data.device_list).toEqual([expect.objectContaining({ covered: false, keeps_days: 1 })])
    await setPlan('pro')
    const more = await neighborhood.call(neighborhood.b, getHomeDevices, input)
    expect(more.body.data.device_list).toEqual([expect.objectContaining({ covered: true, keeps_days: 60 })])
  })
})

describe('a canceled plan', () => {
  test('keeps all entitlements until the end of the paid period and is reported as running', async () => {
    await setPlan('unlimited', { status: 'cancelled', renews_at: now + DAY_MS })
    expect(await listHistory()).toEqual(ALL_IDS.toSorted())
    expect((await neighborhood.call(neighborhood.a, details.retentionPolicy)).body.data.days).toBe(30)
    const found = await neighborhood.call(neighborhood.a, search, {
      device_macs_to_include: ['yard'],
      event_tags_to_include: [],
      limit: 50,
      query: 'courier',
      start_ts: now - 40 * DAY_MS,
      end_ts: now + DAY_MS,
    })
    expect(found.body.data.total).toBe(3)
    const isRunning = async () =>
      (await neighborhood.call(neighborhood.a, getSubscriptions, {}, { uuid: 'user_a' })).body.data.subscriptions[0]
        .running
    expect(await isRunning()).toBe(true)
    await setPlan('unlimited', { status: 'past_due', renews_at: now + DAY_MS })
    expect([await listHistory(), await isRunning()]).toEqual([ALL_IDS.toSorted(), true])
    await endPlan()
    expect([await listHistory(), await isRunning()]).toEqual([FREE_IDS, false])
  })

  test('restores everything when it is bought again within 14 days; later the events are deleted', async () => {
    const objects = ['door_old', 'yard_old'].map((id) => `h/home_a/clip/${id}.mp4`)
    const areStored = async () =>
      Promise.all(objects.map(async (object) => (await neighborhood.bindings.MEDIA.head(object)) !== null))
    const runRetention = async (at: number) => {
      while (await getHome().runRetentionStep(at));
    }
    await setPlan('unlimited')
    await runRetention(now)
    await endPlan()
    await runRetention(now + 60_000)
    await runRetention(now + 60_000 + 14 * DAY_MS - 1)
    expect([await areStored(), await listHistory()]).toEqual([[true, true], FREE_IDS])
    await setPlan('unlimited')
    expect(await listHistory()).toEqual(ALL_IDS.toSorted())
    await endPlan()
    await runRetention(now + 60_000 + 14 * DAY_MS)
    expect(await areStored()).toEqual([false, false])
    await setPlan('unlimited')
    expect(await listHistory()).toEqual(ALL_IDS.filter((id) => !id.endsWith('old')).toSorted())
  })
})
