import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ADMIN_PATHS } from '../../../../contract/operator/operator-calls.ts'
import { eventHistory, type Event } from '../../../../contract/events/events.ts'
import { retentionPolicy } from '../../../../contract/events/event-calls.ts'
import { deleteEvents, getRetention, restoreEvents, timeline, UNDO_MS } from '../../../../contract/events/timeline.ts'
import { shareCamera } from '../../../../contract/cameras/owner-calls.ts'
import { makeEvent, openNeighborhood, type Neighborhood } from '../../../support/home.ts'
import { DAY_MS, MINUTE_MS } from '../../../../contract/time-units.ts'

const now = Date.now()

let town: Neighborhood
beforeAll(async () => {
  town = await openNeighborhood()
  await town.a.bridge.register('door_a')
  await town.b.bridge.register('door_b')
  await town.call(town.b, shareCamera, { device_id: 'door_b', email: 'a@example.com', role: 2 })
  // Lets the home learn its retention period 15 days ago, which is longer than the soft-delete window.
  await home().runRetentionStep(now - 15 * DAY_MS)
})
afterAll(() => town.close())

const home = () => town.bindings.HOMES.getByName('home_a')
const stored = async (key: string) => (await town.bindings.MEDIA.head(key)) !== null
async function listed(begin_time: number, end_time: number): Promise<string[]> {
  const rest = { device_id_list: ['door_a'], event_tag_list: [], event_value_list: [], order_by: 2, count: 10_000 }
  const { body } = await town.call(town.a, eventHistory, { ...rest, begin_time, end_time })
  return body.data.event_list.map((event: Event) => event.event_id)
}
async function film(id: string, event_ts: number, bytes = Buffer.from(id)) {
  const clip_object = await town.a.bridge.upload('door_a', 'clip', id, bytes)
  const thumb_object = await town.a.bridge.upload('door_a', 'thumb', id, Buffer.from(`${id} picture`))
  const resource = {
    begin_time: event_ts,
    end_time: event_ts + 10_000,
    resource_version: 1,
    resource_type: 's3' as const,
  }
  await town.a.bridge.post(
    makeEvent('door_a', id, { event_ts, event_resources: [resource], clip_object, thumb_object }),
  )
  return { clip_object, thumb_object }
}
async function deletedByPlan(): Promise<number> {
  const { deleted } = await home().retention()
  return deleted.reduce((sum, { reason, events }) => sum + (reason === 'plan' ? events : 0), 0)
}
async function runRetention(at: number): Promise<number> {
  let steps = 1
  while (await home().runRetentionStep(at)) steps += 1
  return steps
}

describe('plan retention', () => {
  test('CALL-40 EVENT-28 is returned for the own home and each camera, with shared ones only on request', async () => {
    const { body } = await town.call(town.a, retentionPolicy, { include_shared: 'true' })
    expect(body.data).toMatchObject({
      days: 30,
      devices: [
        { device_id: 'door_a', days: 30 },
        { device_id: 'door_b', days: 30 },
      ],
    })
    expect(Math.abs(body.data.kept_since - (Date.now() - 30 * DAY_MS))).toBeLessThan(MINUTE_MS)
    const own = await town.call(town.a, retentionPolicy)
    expect(own.body.data.devices).toHaveLength(1)
  })

  test.each([
    ['cam-ai', 14],
    ['pro', 60],
    ['hms', 1],
  ])('for %s is %i days', async (sku, days) => {
    const set = (to: string) =>
      town.bindings.DB.prepare("UPDATE subscriptions SET sku = ? WHERE user_id = 'user_a'").bind(to).run()
    await set(sku)
    if (sku === 'cam-ai') await town.bindings.DB.exec("INSERT INTO bindings VALUES ('door_a', 'user_a', 0)")
    const { body } = await town.call(town.a, retentionPolicy)
    expect([body.data.days, body.data.devices[0].days]).toEqual([days, days])
    await set('unlimited')
  })

  test('deletes rows, clips and thumbnails that expired 14 days ago, reports it, and leaves the others', async () => {
    const old = await film('old', now - 45 * DAY_MS)
    const young = await film('young', now - 29 * DAY_MS)
    const unseen = await film('unseen', now - 43 * DAY_MS)
    expect(await listed(now - 50 * DAY_MS, now)).toEqual(['young'])
    await runRetention(now)
    expect(await listed(now - 50 * DAY_MS, now)).toEqual(['young'])
    const objects = [old, young, unseen].flatMap(({ clip_object, thumb_object }) => [clip_object, thumb_object])
    expect(await Promise.all(objects.map(stored))).toEqual([false, false, true, true, true, true])
    const { body } = await town.call(town.a, getRetention)
    expect(body.data.homes).toEqual([
      { home_id: 'home_a', days: 30, last_run: now, deleted: [{ at: now, reason: 'plan', events: 1, clips: 1 }] },
    ])
    const response = await town.call(town.a, timeline, {
      device_ids: ['door_a'],
      begin_time: now - 45 * DAY_MS,
      end_time: now - 45 * DAY_MS + 10_000,
    })
    expect(response.body.data.devices[0].runs).toEqual([
      [now - 45 * DAY_MS, now - 45 * DAY_MS + 10_000, 'expired', expect.stringContaining('older than your plan keeps')],
    ])
  })

  test('is advanced only by the operator, and only in an existing home', async () => {
    const { clip_object } = await film('asked', now - 46 * DAY_MS)
    const step = (path: string, key: string) =>
      fetch(`${town.stage.env.PROVIDER_ORIGIN}${ADMIN_PATHS.retention}/${path}`, {
        method: 'POST',
        headers: { authorization: `Admin ${key}` },
      })
    const { ADMIN_KEY } = town.stage.env
    const rejections = [await step('home_a', 'x'), await step('home_x', ADMIN_KEY), await step('a.b', ADMIN_KEY)]
    expect([...rejections.map(({ status }) => status), await stored(clip_object)]).toEqual([401, 404, 400, true])
    expect(await (await step('home_a', ADMIN_KEY)).json()).toEqual({ code: 200, data: { more: false } })
    expect(await stored(clip_object)).toBe(false)
  })

  test('is not undone by a bridge that sends the event or its demo history again', async () => {
    await film('late', now - 45 * DAY_MS)
    await runRetention(now)
    const again = await film('late', now - 45 * DAY_MS)
    const batch = { device_id: 'door_a', events: [makeEvent('door_a', 'late', { event_ts: now - 45 * DAY_MS })] }
    await town.a.bridge.send('POST', '/bridge/v1/history', batch)
    await runRetention(now)
    expect(await listed(now - 50 * DAY_MS, now - 30 * DAY_MS)).toEqual([])
    expect(await stored(again.clip_object)).toBe(false)
  })

  test('never deletes objects that demo history shares or that another event still names', async () => {
    const upload = { kind: 'clip', name: 'shared', type: 'video/mp4', length: 4, shared: true }
    const { body } = await town.a.bridge.send('POST', '/bridge/v1/uploads', { device_id: 'door_a', objects: [upload] })
    const [{ url, object }] = body.data.grants
    await fetch(url, { method: 'PUT', body: 'clip', headers: { 'content-type': 'video/mp4' } })
    const own = await town.a.bridge.upload('door_a', 'clip', 'twice', Buffer.from('twice'))
    await town.a.bridge.post(makeEvent('door_a', 'seeded', { event_ts: now - 50 * DAY_MS, clip_object: object }))
    await town.a.bridge.post(makeEvent('door_a', 'first_use', { event_ts: now - 50 * DAY_MS, clip_object: own }))
    await town.a.bridge.post(makeEvent('door_a', 'second_use', { event_ts: now - DAY_MS, clip_object: own }))
    const before = await deletedByPlan()
    await runRetention(now)
    expect(await deletedByPlan()).toBeGreaterThan(before)
    expect([await stored(object), await stored(own)]).toEqual([true, true])
  })

  test('runs in bounded batches, each leaving the rest for the next', async () => {
    const events = Array.from({ length: 450 }, (_, n) =>
      makeEvent('door_a', `many_${n}`, { event_ts: now - 50 * DAY_MS + n }),
    )
    await town.a.bridge.send('POST', '/bridge/v1/history', { device_id: 'door_a', events })
    const before = await deletedByPlan()
    const left = async () => before + 450 - (await deletedByPlan())
    const steps = [await home().runRetentionStep(now), await left(), await home().runRetentionStep(now), await left()]
    expect([...steps, await home().runRetentionStep(now), await left()]).toEqual([true, 250, true, 50, false, 0])
  })
})

describe('full storage', () => {
  test('loses the oldest clips first, as many as necessary, and the reason is reported', async () => {
    const big = Buffer.alloc(100_000)
    for (const n of [1, 2, 3, 4]) await film(`big_${n}`, now - 10 * DAY_MS + n * 60_000, big)
    const { MEDIA } = town.bindings
    let used = 0
    for (const object of (await MEDIA.list()).objects) used += object.size
    await home().runRetentionStep(now, used - 150_000)
    const left = await listed(now - 10 * DAY_MS, now - 9 * DAY_MS)
    expect(left).toEqual(['big_4', 'big_3'])
    expect(await stored('h/home_a/clip/big_1.mp4')).toBe(false)
    const { body } = await town.call(town.a, getRetention)
    expect(body.data.homes[0].deleted).toContainEqual(expect.objectContaining({ reason: 'space' }))
  })
})

describe('event deletion', () => {
  beforeEach(async () => {
    await film('mine', now - 2 * DAY_MS)
  })

  test('removes the event from every list immediately, can be undone fully, and is final after ten minutes', async () => {
    const range = [now - 2 * DAY_MS - MINUTE_MS, now - 2 * DAY_MS + MINUTE_MS] as const
    expect(await listed(...range)).toEqual(['mine'])
    const deletion = await town.call(town.a, deleteEvents, { event_ids: ['mine', 'nothing'] })
    expect([deletion.body.data.deleted, await listed(...range)]).toEqual([1, []])
    expect((await town.call(town.a, restoreEvents, { event_ids: ['mine'] })).body.data).toEqual({ restored: 1 })
    expect(await listed(...range)).toEqual(['mine'])

    const again = await town.call(town.a, deleteEvents, { event_ids: ['mine'] })
    await runRetention(again.body.data.restore_until - 1)
    expect(await stored('h/home_a/clip/mine.mp4')).toBe(true)
    await runRetention(again.body.data.restore_until)
    expect([await stored('h/home_a/clip/mine.mp4'), await stored('h/home_a/thumb/mine.jpg')]).toEqual([false, false])
    expect((await town.call(town.a, restoreEvents, { event_ids: ['mine'] })).status).toBe(404)
    expect(again.body.data.restore_until - Date.now()).toBeLessThanOrEqual(UNDO_MS)
  })

  test('returns 403 for a camera only shared with the account, and 404 for an unknown one', async () => {
    await town.b.bridge.post(makeEvent('door_b', 'theirs'))
    const shared = await town.call(town.a, deleteEvents, { event_ids: ['theirs'] })
    const foreign = await town.call(town.b, deleteEvents, { event_ids: ['young'] })
    expect([shared.status, foreign.status]).toEqual([403, 404])
  })
})
