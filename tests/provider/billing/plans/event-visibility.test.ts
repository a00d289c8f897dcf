import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { getHomeDevices } from '../../../../contract/cameras/devices.ts'
import * as details from '../../../../contract/events/event-calls.ts'
import { eventHistory, getEventList } from '../../../../contract/events/events.ts'
import { reviewEvents } from '../../../../contract/events/feed-and-review-calls.ts'
import { people } from '../../../../contract/events/faces.ts'
import { eventFeedback } from '../../../../contract/events/feedback.ts'
import { shareCamera } from '../../../../contract/cameras/owner-calls.ts'
import { getSubscriptions } from '../../../../contract/billing/subscriptions.ts'
import { onboardingRegister, search } from '../../../../contract/search/search-calls.ts'
import { exportAccountData } from '../../../../contract/account/data-export.ts'
import { deleteEvents, exportClips, timeline } from '../../../../contract/events/timeline.ts'
import { makeEvent, openNeighborhood, RECENT, type Household, type Neighborhood } from '../../../support/home.ts'
import { DAY_MS } from '../../../../contract/time-units.ts'

const now = Date.now()
const OLD = RECENT - 3 * DAY_MS
const FREE_TYPE = '101'
const PAID_TYPE = '12'

let town: Neighborhood
/**
 * Registers the cameras `door` and `yard` of household a. Each camera has an event from three days ago and two from
 * today, the second of a paid type.
 */
beforeAll(async () => {
  town = await openNeighborhood()
  for (const device of ['door', 'yard']) {
    await town.a.bridge.register(device)
    await film(device, 'old', OLD, FREE_TYPE, 'Maya')
    await film(device, 'today', RECENT, FREE_TYPE, 'Sam')
    await film(device, 'paid', RECENT + 60_000, PAID_TYPE, 'Ida')
  }
  await home().runRetentionStep(now - 15 * DAY_MS)
  for (const as of [town.a, town.b]) await town.call(as, onboardingRegister)
  await town.call(town.a, shareCamera, { device_id: 'yard', email: 'b@example.com', role: 2 })
})
afterAll(() => town.close())

const home = () => town.bindings.HOMES.getByName('home_a')
async function film(device: string, name: string, event_ts: number, tag: string, person: string) {
  const id = `${device}_${name}`
  const clip_object = await town.a.bridge.upload(device, 'clip', id, Buffer.from(id))
  const thumb_object = await town.a.bridge.upload(device, 'thumb', id, Buffer.from(id))
  const range = { begin_time: event_ts, end_time: event_ts + 10_000, resource_version: 1 }
  const resource = { ...range, resource_type: 's3' as const }
  const fields = { title: 'A courier', tags: [tag], event_values: [person], event_resources: [resource] }
  await town.a.bridge.post(makeEvent(device, id, { ...fields, event_ts, clip_object, thumb_object }))
}

/** Sets the plan of household a. `bound`: the camera that its license covers. */
async function have(sku: string, change: { status?: string; renews_at?: number; bound?: string } = {}) {
  const { status = 'active', renews_at = 0, bound } = change
  const { DB } = town.bindings
  await DB.batch([
    DB.prepare("DELETE FROM bindings WHERE subscription_id = 'user_a'"),
    DB.prepare("UPDATE subscriptions SET sku = ?, status = ?, renews_at = ? WHERE subscription_id = 'user_a'").bind(
      ...[sku, status, renews_at],
    ),
    ...(bound ? [DB.prepare("INSERT INTO bindings VALUES (?, 'user_a', 0)").bind(bound)] : []),
  ])
}
const nothing = () => have('unlimited', { status: 'cancelled', renews_at: now - 1 })
beforeEach(() => have('cam-ai', { bound: 'door' }))

const ALL = ['door', 'yard'].flatMap((device) => ['old', 'today', 'paid'].map((name) => `${device}_${name}`))
/** Ids of the events that are visible while a license covers the camera `door`. */
const LICENSED = ['door_old', 'door_paid', 'door_today', 'yard_today']
const FREE = ['door_today', 'yard_today']
type Ids = { event_id: string }[]
const sorted = (rows: Ids) => rows.map(({ event_id }) => event_id).toSorted()
const all = { device_id_list: [], event_tag_list: [], event_value_list: [], order_by: 2, count: 10_000 }
const range = { begin_time: now - 40 * DAY_MS, end_time: now + DAY_MS }

async function history(as: Household = town.a) {
  return sorted((await town.call(as, eventHistory, { ...all, ...range })).body.data.event_list)
}
const place = (id: string) => ({ device_id: id.split('_')[0] ?? '', event_id: id })
/** Ids of the events for which the call does not return 404. */
async function answered(ask: (id: string) => Promise<{ status: number }>): Promise<string[]> {
  const statuses = await Promise.all(ALL.map(async (id) => [id, (await ask(id)).status] as const))
  for (const [, status] of statuses) expect([200, 404]).toContain(status)
  return statuses.flatMap(([id, status]) => (status === 200 ? [id] : [])).toSorted()
}
const begins = { old: OLD, today: RECENT, paid: RECENT + 60_000 }
function replay(id: string) {
  const start = begins[id.split('_')[1] as keyof typeof begins]
  return town.call(town.a, details.replayArchive, {
    ...{ device_id: place(id).device_id, product_model: 'PL-1', resource_version: '1', resource_type: 's3' },
    ...{ start_time: String(start), end_time: String(start + 10_000), is_live: 'false' },
  })
}

/** Each call that can reveal an event, with the ids that it returns. */
const SURFACES: Record<string, () => Promise<string[]>> = {
  'CALL-37 event/history': () => history(),
  'CALL-24 get-event': () => answered((id) => town.call(town.a, details.getEvent, place(id))),
  'CALL-39 get-event-list-by-ids': async () => {
    const { body } = await town.call(town.a, details.getEventListByIds, { event_id_list: ALL })
    return sorted(body.data.event_list)
  },
  'CALL-42 events/anomaly': async () => {
    const { body } = await town.call(town.a, details.anomalyBatch, { event_ids: ALL })
    return sorted(body.data.anomalies)
  },
  'CALL-26 replay_url': () => answered(replay),
  'EXT-export': async () => {
    const files = ALL.map((event_id) => ({ event_id, name: `${event_id}.mp4` }))
    const { body } = await town.call(town.a, exportClips, { files })
    return ALL.filter((id) => !body.data.missing.includes(id)).toSorted()
  },
  'EXT-take': async () => {
    const { body } = await town.call(town.a, exportAccountData, { zone: 'UTC' })
    // The archive stores the table of events uncompressed.
    const archive = await (await fetch(body.data.url)).text()
    return ALL.filter((id) => archive.includes(`,${id}\r\n`)).toSorted()
  },
  'CALL-44 feedback': () => answered((id) => town.call(town.a, eventFeedback, { feedback: 'right' }, { event_id: id })),
  'EXT-review': () => answered((id) => town.call(town.a, reviewEvents, { event_ids: [id], reviewed: true })),
}

describe('OPEN-147 immediate hiding of events that a plan does not retain', () => {
  test.each(Object.entries(SURFACES))('%s', async (_, met) => {
    expect(await met()).toEqual(LICENSED)
    await have('unlimited')
    expect(await met()).toEqual(ALL.toSorted())
    await nothing()
    expect(await met()).toEqual(FREE)
  })

  test('CALL-38 get-event-list shows only free types, as long as each camera retains them', async () => {
    const { body } = await town.call(town.a, getEventList, { ...all, ...range })
    expect(sorted(body.data.event_list)).toEqual(['door_old', 'door_today', 'yard_today'])
  })

  test('CALL-46 the search finds what cameras with a search plan retain, for guests too', async () => {
    const find = (as: Household) =>
      town.call(as, search, {
        ...{ device_macs_to_include: [], event_tags_to_include: [], limit: 50, query: 'courier' },
        ...{ start_ts: now - 40 * DAY_MS, end_ts: now + DAY_MS },
      })
    const found = async (as = town.a) =>
      sorted((await find(as)).body.data.events.map((match: { event: Ids[number] }) => match.event))
    expect(await found()).toEqual(['door_old', 'door_paid', 'door_today'])
    expect(await found(town.b)).toEqual([])
    await have('pro')
    expect([await found(), await found(town.b)]).toEqual([
      ALL.toSorted(),
      ALL.filter((id) => id.startsWith('yard')).toSorted(),
    ])
    await nothing()
    expect((await find(town.a)).status).toBe(403)
  })

  test('CALL-58 OPEN-166 people come only from visible events of cameras whose plan includes them', async () => {
    const seen = async () => {
      const { body } = await town.call(town.a, people, {}, { collection_id: 'home_a' })
      return body.data.people
        .map((person: { name: string; events: number }) => `${person.name} ${person.events}`)
        .toSorted()
    }
    expect(await seen()).toEqual(['Ida 1', 'Maya 1', 'Sam 1'])
    await have('unlimited')
    expect(await seen()).toContain('Sam 2')
    await nothing()
    expect(await seen()).toEqual([])
  })

  test('a clip URL that was created earlier no longer opens the clip', async () => {
    await have('unlimited')
    const { body } = await replay('yard_old')
    const open = async () => {
      const response = await fetch(body.data.replay_url)
      return [response.status, response.status === 200 ? await response.text() : '']
    }
    expect(await open()).toEqual([200, 'yard_old'])
    await have('cam-ai', { bound: 'door' })
    expect((await open())[0]).toBe(404)
    await have('cam-ai', { bound: 'yard' })
    expect(await open()).toEqual([200, 'yard_old'])
  })

  test('the timeline reports hidden events as not_kept, for each camera', async () => {
    const states = async (begin_time: number) => {
      const query = { device_ids: ['door', 'yard'], begin_time, end_time: begin_time + 10_000 }
      const { body } = await town.call(town.a, timeline, query)
      return body.data.devices.map(({ runs }: { runs: unknown[][] }) => [runs.length, runs[0]?.[2]])
    }
    expect(await states(OLD)).toEqual([
      [1, 'recorded'],
      [1, 'not_kept'],
    ])
    expect(await states(RECENT + 60_000)).toEqual([
      [1, 'recorded'],
      [1, 'not_kept'],
    ])
  })

  test('hidden events cannot be deleted either', async () => {
    expect((await town.call(town.a, deleteEvents, { event_ids: ['yard_old'] })).status).toBe(404)
  })

  test('CALL-40 CALL-28 each camera is returned with its retention days and whether a plan covers it', async () => {
    const { body } = await town.call(town.a, details.retentionPolicy)
    const days = body.data.devices.map((device: { device_id: string; days: number }) => [device.device_id, device.days])
    expect([body.data.days, days.toSorted()]).toEqual([
      14,
      [
        ['door', 14],
        ['yard', 1],
      ],
    ])
    const input = { device_category: 'camera', env: 'test' }
    const response = await town.call(town.b, getHomeDevices, input)
    expect(response.body.data.device_list).toEqual([expect.objectContaining({ covered: false, keeps_days: 1 })])
    await have('pro')
    const more = await town.call(town.b, getHomeDevices, input)
    expect(more.body.data.device_list).toEqual([expect.objectContaining({ covered: true, keeps_days: 60 })])
  })
})

describe('a canceled plan', () => {
  test('keeps all entitlements until the end of the paid period and is reported as running', async () => {
    await have('unlimited', { status: 'cancelled', renews_at: now + DAY_MS })
    expect(await history()).toEqual(ALL.toSorted())
    expect((await town.call(town.a, details.retentionPolicy)).body.data.days).toBe(30)
    const found = await town.call(town.a, search, {
      ...{ device_macs_to_include: ['yard'], event_tags_to_include: [], limit: 50, query: 'courier' },
      ...{ start_ts: now - 40 * DAY_MS, end_ts: now + DAY_MS },
    })
    expect(found.body.data.total).toBe(3)
    const running = async () =>
      (await town.call(town.a, getSubscriptions, {}, { uuid: 'user_a' })).body.data.subscriptions[0].running
    expect(await running()).toBe(true)
    await have('unlimited', { status: 'past_due', renews_at: now + DAY_MS })
    expect([await history(), await running()]).toEqual([ALL.toSorted(), true])
    await nothing()
    expect([await history(), await running()]).toEqual([FREE, false])
  })

  test('restores everything when it is bought again within 14 days; later the events are deleted', async () => {
    const objects = ['door_old', 'yard_old'].map((id) => `h/home_a/clip/${id}.mp4`)
    const stored = async () =>
      Promise.all(objects.map(async (object) => (await town.bindings.MEDIA.head(object)) !== null))
    const runRetention = async (at: number) => {
      while (await home().runRetentionStep(at));
    }
    await have('unlimited')
    await runRetention(now)
    await nothing()
    await runRetention(now + 60_000)
    await runRetention(now + 60_000 + 14 * DAY_MS - 1)
    expect([await stored(), await history()]).toEqual([[true, true], FREE])
    await have('unlimited')
    expect(await history()).toEqual(ALL.toSorted())
    await nothing()
    await runRetention(now + 60_000 + 14 * DAY_MS)
    expect(await stored()).toEqual([false, false])
    await have('unlimited')
    expect(await history()).toEqual(ALL.filter((id) => !id.endsWith('old')).toSorted())
  })
})
