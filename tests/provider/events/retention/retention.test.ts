import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ADMIN_PATHS } from '../../../../contract/operator/operator-calls.ts'
import { eventHistory, type Event } from '../../../../contract/events/events.ts'
import { retentionPolicy } from '../../../../contract/events/event-calls.ts'
import {
  deleteEvents,
  getRetention,
  restoreEvents,
  timeline,
  EVENT_RESTORE_MS,
} from '../../../../contract/events/timeline.ts'
import { shareCamera } from '../../../../contract/cameras/owner-calls.ts'
import { createBridgeEvent, openNeighborhood, type Neighborhood } from '../../../support/home.ts'
import { DAY_MS, MINUTE_MS } from '../../../../contract/time-units.ts'

const now = Date.now()

let neighborhood: Neighborhood
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  await neighborhood.a.bridge.register('door_a')
  await neighborhood.b.bridge.register('door_b')
  await neighborhood.call(neighborhood.b, shareCamera, { device_id: 'door_b', email: 'a@example.com', role: 2 })
  // Let the home record its retention period as of 15 days ago: events expire only if the recorded history is at least
  // as long as the soft-delete window (14 days).
  await getHome().runRetentionStep(now - 15 * DAY_MS)
})
afterAll(() => neighborhood.close())

const getHome = () => neighborhood.bindings.HOMES.getByName('home_a')
const isStored = async (key: string) => (await neighborhood.bindings.MEDIA.head(key)) !== null
async function listEventIds(begin_time: number, end_time: number): Promise<string[]> {
  const rest = { device_id_list: ['door_a'], event_tag_list: [], event_value_list: [], order_by: 2, count: 10_000 }
  const { body } = await neighborhood.call(neighborhood.a, eventHistory, { ...rest, begin_time, end_time })
  return body.data.event_list.map((event: Event) => event.event_id)
}
async function addEvent(id: string, event_ts: number, bytes = Buffer.from(id)) {
  const clip_object = await neighborhood.a.bridge.upload('door_a', 'clip', id, bytes)
  const thumb_object = await neighborhood.a.bridge.upload('door_a', 'thumb', id, Buffer.from(`${id} picture`))
  const resource = {
    begin_time: event_ts,
    end_time: event_ts + 10_000,
    resource_version: 1,
    resource_type: 's3' as const,
  }
  await neighborhood.a.bridge.postEvent(
    createBridgeEvent('door_a', id, { event_ts, event_resources: [resource], clip_object, thumb_object }),
  )
  return { clip_object, thumb_object }
}
async function countDeletedByPlan(): Promise<number> {
  const { deleted } = await getHome().readRetentionLog()
  return deleted.reduce((sum, { reason, events }) => sum + (reason === 'plan' ? events : 0), 0)
}
async function runRetention(at: number): Promise<number> {
  let steps = 1
  while (await getHome().runRetentionStep(at)) steps += 1
  return steps
}

describe('plan retention', () => {
  test('CALL-40 EVENT-28 is returned for the own home and each camera, with shared ones only on request', async () => {
    const { body } = await neighborhood.call(neighborhood.a, retentionPolicy, { include_shared: 'true' })
    expect(body.data).toMatchObject({
      days: 30,
      devices: [
        { device_id: 'door_a', days: 30 },
        { device_id: 'door_b', days: 30 },
      ],
    })
    expect(Math.abs(body.data.kept_since - (Date.now() - 30 * DAY_MS))).toBeLessThan(MINUTE_MS)
    const own = await neighborhood.call(neighborhood.a, retentionPolicy)
    expect(own.body.data.devices).toHaveLength(1)
  })

  test.each([
    ['cam-ai', 14],
    ['pro', 60],
    ['hms', 1],
  ])('for %s is %i days', async (sku, days) => {
    const setPlan = (to: string) =>
      neighborhood.bindings.DB.prepare("UPDATE subscriptions SET sku = ? WHERE user_id = 'user_a'").bind(to).run()
    await setPlan(sku)
    if (sku === 'cam-ai')
      await neighborhood.bindings.DB.exec(
        "INSERT INTO bindings (device_id, subscription_id, bound_at) VALUES ('door_a', 'user_a', 0)",
      )
    const { body } = await neighborhood.call(neighborhood.a, retentionPolicy)
    expect([body.data.days, body.data.devices[0].days]).toEqual([days, days])
    await setPlan('unlimited')
  })

  test('deletes rows, clips and thumbnails that expired 14 days ago, reports it, and leaves the others', async () => {
    const old = await addEvent('old', now - 45 * DAY_MS)
    const young = await addEvent('young', now - 29 * DAY_MS)
    const hidden = await addEvent('unseen', now - 43 * DAY_MS)
    expect(await listEventIds(now - 50 * DAY_MS, now)).toEqual(['young'])
    await runRetention(now)
    expect(await listEventIds(now - 50 * DAY_MS, now)).toEqual(['young'])
    const objects = [old, young, hidden].flatMap(({ clip_object, thumb_object }) => [clip_object, thumb_object])
    expect(await Promise.all(objects.map(isStored))).toEqual([false, false, true, true, true, true])
    const { body } = await neighborhood.call(neighborhood.a, getRetention)
    expect(body.data.homes).toEqual([
      { home_id: 'home_a', days: 30, last_run: now, deleted: [{ at: now, reason: 'plan', events: 1, clips: 1 }] },
    ])
    const response = await neighborhood.call(neighborhood.a, timeline, {
      device_ids: ['door_a'],
      begin_time: now - 45 * DAY_MS,
      end_time: now - 45 * DAY_MS + 10_000,
    })
    expect(response.body.data.devices[0].runs).toEqual([
      [now - 45 * DAY_MS, now - 45 * DAY_MS + 10_000, 'expired', expect.stringContaining('expired under your plan')],
    ])
  })

  test('is advanced only by the operator, and only in an existing home', async () => {
    const { clip_object } = await addEvent('asked', now - 46 * DAY_MS)
    const runStep = (path: string, key: string) =>
      fetch(`${neighborhood.stage.env.PROVIDER_ORIGIN}${ADMIN_PATHS.retention}/${path}`, {
        method: 'POST',
        headers: { authorization: `Admin ${key}` },
      })
    const { ADMIN_KEY } = neighborhood.stage.env
    const rejections = [
      await runStep('home_a', 'x'),
      await runStep('home_x', ADMIN_KEY),
      await runStep('a.b', ADMIN_KEY),
    ]
    expect([...rejections.map(({ status }) => status), await isStored(clip_object)]).toEqual([401, 404, 400, true])
    expect(await (await runStep('home_a', ADMIN_KEY)).json()).toEqual({ code: 200, data: { more: false } })
    expect(await isStored(clip_object)).toBe(false)
  })

  test('is not undone by a bridge that sends the event or its demo history again', async () => {
    await addEvent('late', now - 45 * DAY_MS)
    await runRetention(now)
    const again = await addEvent('late', now - 45 * DAY_MS)
    const batch = {
      device_id: 'door_a',
      events: [createBridgeEvent('door_a', 'late', { event_ts: now - 45 * DAY_MS })],
    }
    await neighborhood.a.bridge.send('POST', '/bridge/v1/history', batch)
    await runRetention(now)
    expect(await listEventIds(now - 50 * DAY_MS, now - 30 * DAY_MS)).toEqual([])
    expect(await isStored(again.clip_object)).toBe(false)
  })

  test('never deletes objects that demo history shares or that another event still names', async () => {
    const upload = { kind: 'clip', name: 'shared', type: 'video/mp4', length: 4, shared: true }
    const { body } = await neighborhood.a.bridge.send('POST', '/bridge/v1/uploads', {
      device_id: 'door_a',
      objects: [upload],
    })
    const [{ url, object }] = body.data.grants
    await fetch(url, { method: 'PUT', body: 'clip', headers: { 'content-type': 'video/mp4' } })
    const own = await neighborhood.a.bridge.upload('door_a', 'clip', 'twice', Buffer.from('twice'))
    await neighborhood.a.bridge.postEvent(
      createBridgeEvent('door_a', 'seeded', { event_ts: now - 50 * DAY_MS, clip_object: object }),
    )
    await neighborhood.a.bridge.postEvent(
      createBridgeEvent('door_a', 'first_use', { event_ts: now - 50 * DAY_MS, clip_object: own }),
    )
    await neighborhood.a.bridge.postEvent(
      createBridgeEvent('door_a', 'second_use', { event_ts: now - DAY_MS, clip_object: own }),
    )
    const before = await countDeletedByPlan()
    await runRetention(now)
    expect(await countDeletedByPlan()).toBeGreaterThan(before)
    expect([await isStored(object), await isStored(own)]).toEqual([true, true])
  })

  test('includes a plan that starts and ends before the next scheduled step', async () => {
    const { bindings, stage } = neighborhood
    const setPlan = (to: string) =>
      bindings.DB.prepare("UPDATE subscriptions SET sku = ? WHERE user_id = 'user_b'").bind(to).run()
    const storage = await stage.provider.getWorker().getDurableObjectStorage('HOMES', { name: 'home_b' })
    const listPeriods = async () =>
      (await storage.exec('SELECT days FROM keeping ORDER BY began')).map((row) => (row as { days: number }).days)
    await neighborhood.b.bridge.postEvent(createBridgeEvent('door_b', 'before_change'))
    for (const [sku, periods] of [
      ['pro', [60]],
      ['hms', [60, 1]],
    ] as const) {
      await setPlan(sku)
      await bindings.HOMES.getByName('home_b').notifyPlanChange()
      await expect.poll(listPeriods).toEqual(periods)
    }
  })

  test('runs in bounded batches, each leaving the rest for the next', async () => {
    const events = Array.from({ length: 450 }, (_, n) =>
      createBridgeEvent('door_a', `many_${n}`, { event_ts: now - 50 * DAY_MS + n }),
    )
    await neighborhood.a.bridge.send('POST', '/bridge/v1/history', { device_id: 'door_a', events })
    const before = await countDeletedByPlan()
    const remaining = async () => before + 450 - (await countDeletedByPlan())
    const steps = [
      await getHome().runRetentionStep(now),
      await remaining(),
      await getHome().runRetentionStep(now),
      await remaining(),
    ]
    expect([...steps, await getHome().runRetentionStep(now), await remaining()]).toEqual([
      true,
      250,
      true,
      50,
      false,
      0,
    ])
  })
})

describe('full storage', () => {
  test('loses the oldest clips first, as many as necessary, and the reason is reported', async () => {
    const big = Buffer.alloc(100_000)
    for (const n of [1, 2, 3, 4]) await addEvent(`big_${n}`, now - 10 * DAY_MS + n * 60_000, big)
    const { MEDIA } = neighborhood.bindings
    let used = 0
    for (const object of (await MEDIA.list()).objects) used += object.size
    await getHome().runRetentionStep(now, { kind: 'bytes', bytes: used - 150_000 })
    const remaining = await listEventIds(now - 10 * DAY_MS, now - 9 * DAY_MS)
    expect(remaining).toEqual(['big_4', 'big_3'])
    expect(await isStored('h/home_a/clip/big_1.mp4')).toBe(false)
    const { body } = await neighborhood.call(neighborhood.a, getRetention)
    expect(body.data.homes[0].deleted).toContainEqual(expect.objectContaining({ reason: 'space' }))
  })
})

describe('event deletion', () => {
  beforeEach(async () => {
    await addEvent('mine', now - 2 * DAY_MS)
  })

  test('removes the event from every list immediately, can be undone fully, and is final after ten minutes', async () => {
    const range = [now - 2 * DAY_MS - MINUTE_MS, now - 2 * DAY_MS + MINUTE_MS] as const
    expect(await listEventIds(...range)).toEqual(['mine'])
    const deletion = await neighborhood.call(neighborhood.a, deleteEvents, { event_ids: ['mine', 'nothing'] })
    expect([deletion.body.data.deleted, await listEventIds(...range)]).toEqual([1, []])
    expect((await neighborhood.call(neighborhood.a, restoreEvents, { event_ids: ['mine'] })).body.data).toEqual({
      restored: 1,
    })
    expect(await listEventIds(...range)).toEqual(['mine'])

    const again = await neighborhood.call(neighborhood.a, deleteEvents, { event_ids: ['mine'] })
    await runRetention(again.body.data.restore_until - 1)
    expect(await isStored('h/home_a/clip/mine.mp4')).toBe(true)
    await runRetention(again.body.data.restore_until)
    expect([await isStored('h/home_a/clip/mine.mp4'), await isStored('h/home_a/thumb/mine.jpg')]).toEqual([
      false,
      false,
    ])
    expect((await neighborhood.call(neighborhood.a, restoreEvents, { event_ids: ['mine'] })).status).toBe(404)
    expect(again.body.data.restore_until - Date.now()).toBeLessThanOrEqual(EVENT_RESTORE_MS)
  })

  test('returns 403 for a camera only shared with the account, and 404 for an unknown one', async () => {
    await neighborhood.b.bridge.postEvent(createBridgeEvent('door_b', 'theirs'))
    const shared = await neighborhood.call(neighborhood.a, deleteEvents, { event_ids: ['theirs'] })
    const foreign = await neighborhood.call(neighborhood.b, deleteEvents, { event_ids: ['young'] })
    expect([shared.status, foreign.status]).toEqual([403, 404])
  })
})
