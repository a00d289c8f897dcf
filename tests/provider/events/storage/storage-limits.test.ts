import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getStorage, setStorageLimits, STORAGE_LIMIT_MAX_DAYS } from '../../../../contract/cameras/storage-calls.ts'
import { shareCamera } from '../../../../contract/cameras/owner-calls.ts'
import { PLANS } from '../../../../contract/billing/plan-catalog.ts'
import { getActivity } from '../../../../contract/account/activity.ts'
import { eventHistory, type Event } from '../../../../contract/events/events.ts'
import { getRetention, timeline } from '../../../../contract/events/timeline.ts'
import { DAY_MS, MINUTE_MS } from '../../../../contract/time-units.ts'
import { createBridgeEvent, openNeighborhood, type Neighborhood } from '../../../support/home.ts'
import { WAIT_OPTIONS } from '../../../support/patience.ts'

const now = Date.now()
/** Bytes per clip: 0.4 GB. No object of this size exists; only its size is stored. */
const CLIP_BYTES = 400_000_000

let neighborhood: Neighborhood
beforeAll(async () => {
  neighborhood = await openNeighborhood()
})
afterAll(() => neighborhood.close())

const getHome = () => neighborhood.bindings.HOMES.getByName('home_a')

/** Adds an event `days` days ago, whose clip has `CLIP_BYTES` bytes. The stored object has only a few bytes. */
async function addClip(camera: string, id: string, days: number): Promise<void> {
  const { bridge } = neighborhood.a
  const clip_object = await bridge.upload(camera, 'clip', id, Buffer.from(id))
  const event_ts = now - days * DAY_MS - MINUTE_MS
  const resource = {
    begin_time: event_ts,
    end_time: event_ts + 10_000,
    resource_version: 1,
    resource_type: 's3' as const,
  }
  await bridge.postEvent(createBridgeEvent(camera, id, { event_ts, event_resources: [resource], clip_object }))
}
async function openCamera(camera: string, days: readonly number[]): Promise<void> {
  await neighborhood.a.bridge.register(camera, { nickname: camera })
  for (const day of days) await addClip(camera, `${camera}_${day}`, day)
  const storage = await neighborhood.stage.provider.getWorker().getDurableObjectStorage('HOMES', { name: 'home_a' })
  await storage.exec(`UPDATE events SET clip_bytes = ${CLIP_BYTES} WHERE device_id = '${camera}'`)
}

async function listEventIds(camera: string): Promise<string[]> {
  const { body } = await neighborhood.call(neighborhood.a, eventHistory, {
    device_id_list: [camera],
    event_tag_list: [],
    event_value_list: [],
    order_by: 2,
    count: 10_000,
    begin_time: now - 29 * DAY_MS,
    end_time: now,
  })
  return body.data.event_list.map((event: Event) => event.event_id)
}
async function readCamera(camera: string) {
  const { body } = await neighborhood.call(neighborhood.a, getStorage)
  const [home] = body.data.homes
  return home.cameras.find(({ device_id }: { device_id: string }) => device_id === camera)
}
const setLimits = (device_id: string, limits: object, account = neighborhood.a) =>
  neighborhood.call(account, setStorageLimits, {
    device_id,
    max_bytes: null,
    max_days: null,
    preview: false,
    ...limits,
  })

describe('usage', () => {
  test('has the bytes and clips of each camera, and the average of the last complete days', async () => {
    await openCamera('usage', [0, 1, 2, 3])
    await addClip('usage', 'small', 0)
    const camera = await readCamera('usage')
    expect(camera).toMatchObject({ bytes: 4 * CLIP_BYTES + 'small'.length, clips: 5, plan_days: 30 })
    const today = Math.floor(now / DAY_MS) * DAY_MS
    const completeDays = Math.round((today - Math.floor((now - 3 * DAY_MS - MINUTE_MS) / DAY_MS) * DAY_MS) / DAY_MS)
    const todayClips = now - MINUTE_MS >= today ? 1 : 0
    expect(camera.bytes_per_day).toBe(Math.round(((4 - todayClips) * CLIP_BYTES) / completeDays))
    expect([camera.max_bytes, camera.max_days, camera.freed_until, camera.fits_days]).toEqual([null, null, null, null])
  })

  test('stays exact when a bridge repeats an upload, and when an event is deleted', async () => {
    await openCamera('exact', [])
    await addClip('exact', 'exact_1', 1)
    await addClip('exact', 'exact_1', 1)
    expect(await readCamera('exact')).toMatchObject({ bytes: 'exact_1'.length, clips: 1 })
    await setLimits('exact', { max_days: 1 })
    await expect.poll(() => readCamera('exact')).toMatchObject({ bytes: 0, clips: 0 })
  })

  test('measures clips of an earlier version, which stored no sizes', async () => {
    await openCamera('earlier', [])
    await addClip('earlier', 'earlier_1', 1)
    const storage = await neighborhood.stage.provider.getWorker().getDurableObjectStorage('HOMES', { name: 'home_a' })
    await storage.exec("UPDATE events SET clip_bytes = NULL WHERE device_id = 'earlier'")
    expect(await readCamera('earlier')).toMatchObject({ bytes: 0, clips: 0 })
    await getHome().runRetentionStep(now)
    expect(await readCamera('earlier')).toMatchObject({ bytes: 'earlier_1'.length, clips: 1 })
  })
})

describe('limits of a camera', () => {
  test('a preview says what a limit in GB deletes, and deletes nothing', async () => {
    await openCamera('preview', [1, 2, 3, 4])
    const { body } = await setLimits('preview', { max_bytes: 1e9, preview: true })
    expect(body.data).toEqual({
      events: 2,
      bytes: 2 * CLIP_BYTES,
      from: now - 4 * DAY_MS - MINUTE_MS,
      until: now - 3 * DAY_MS - MINUTE_MS,
    })
    await getHome().runRetentionStep(now)
    expect(await listEventIds('preview')).toHaveLength(4)
    expect(await readCamera('preview')).toMatchObject({ max_bytes: null })
  })

  test('a limit in GB deletes the oldest clips of only that camera, and the timeline says so', async () => {
    await openCamera('crowded', [1, 2, 3, 4])
    await openCamera('other', [1, 2, 3, 4])
    const { status, body } = await setLimits('crowded', { max_bytes: 1e9 })
    expect([status, body.data.events]).toEqual([200, 2])
    await expect.poll(() => listEventIds('crowded')).toEqual(['crowded_1', 'crowded_2'])
    expect(await listEventIds('other')).toHaveLength(4)
    const freed_until = now - 3 * DAY_MS - MINUTE_MS + 1
    expect(await readCamera('crowded')).toMatchObject({
      bytes: 2 * CLIP_BYTES,
      max_bytes: 1e9,
      freed_until,
      fits_days: 2,
    })
    const begin_time = freed_until - 1
    const range = { device_ids: ['crowded'], begin_time, end_time: begin_time + 10_000 }
    const runs = (await neighborhood.call(neighborhood.a, timeline, range)).body.data.devices[0].runs
    expect(runs).toEqual([
      [begin_time, begin_time + 10_000, 'freed', 'Clips from this time were deleted to free up space.'],
    ])
    const { homes } = (await neighborhood.call(neighborhood.a, getRetention)).body.data
    expect(homes[0].deleted).toContainEqual(expect.objectContaining({ reason: 'space' }))
  })

  test('a limit in days deletes older events, and never extends the plan', async () => {
    await openCamera('aged', [1, 2, 3, 40])
    expect(await listEventIds('aged')).toHaveLength(3)
    const { body } = await setLimits('aged', { max_days: 2 })
    expect(body.data).toMatchObject({ events: 3 })
    await expect.poll(() => listEventIds('aged')).toEqual(['aged_1'])
    expect(await readCamera('aged')).toMatchObject({ max_days: 2, freed_until: null })
    await setLimits('aged', { max_days: 60 })
    await addClip('aged', 'aged_hidden', 31)
    expect(await readCamera('aged')).toMatchObject({ plan_days: 30, max_days: 60 })
    expect(await listEventIds('aged')).toEqual(['aged_1'])
  })

  test('keep the newest clip even if it exceeds the limit, and clips that are still uploading', async () => {
    await openCamera('newest', [1, 2])
    const storage = await neighborhood.stage.provider.getWorker().getDurableObjectStorage('HOMES', { name: 'home_a' })
    await storage.exec("UPDATE events SET clip_bytes = 3e9 WHERE device_id = 'newest'")
    await neighborhood.a.bridge.postEvent(
      createBridgeEvent('newest', 'newest_uploading', {
        event_ts: now - 3 * DAY_MS,
        clip_object: null,
        clip_state: 'uploading',
      }),
    )
    await setLimits('newest', { max_bytes: 1e9, max_days: 2 })
    await expect.poll(() => listEventIds('newest')).toEqual(['newest_1', 'newest_uploading'])
  })

  test('shared demo clips do not count, and a limit in GB does not delete them', async () => {
    await openCamera('demo', [1])
    const { body } = await neighborhood.a.bridge.send('POST', '/bridge/v1/uploads', {
      device_id: 'demo',
      objects: [{ kind: 'clip', name: 'shared', type: 'video/mp4', length: 4, shared: true }],
    })
    const [{ url, object }] = body.data.grants
    await fetch(url, { method: 'PUT', body: 'clip', headers: { 'content-type': 'video/mp4' } })
    const event = { event_ts: now - 5 * DAY_MS, clip_object: object }
    await neighborhood.a.bridge.postEvent(createBridgeEvent('demo', 'demo_shared', event))
    await addClip('demo', 'demo_2', 2)
    const storage = await neighborhood.stage.provider.getWorker().getDurableObjectStorage('HOMES', { name: 'home_a' })
    await storage.exec("UPDATE events SET clip_bytes = 3e9 WHERE device_id = 'demo'")
    expect(await readCamera('demo')).toMatchObject({ bytes: 6e9, clips: 2 })
    await setLimits('demo', { max_bytes: 1e9 })
    await expect.poll(() => listEventIds('demo')).toEqual(['demo_1', 'demo_shared'])
  })
})

describe('storage calls', () => {
  test('change and show only own cameras, and the activity log names the change', async () => {
    await openCamera('owned', [1])
    await neighborhood.call(neighborhood.a, shareCamera, { device_id: 'owned', email: 'b@example.com', role: 2 })
    expect((await setLimits('owned', { max_days: 1 }, neighborhood.b)).status).toBe(403)
    const { body } = await neighborhood.call(neighborhood.b, getStorage)
    expect(body.data.homes.map(({ home_id }: { home_id: string }) => home_id)).toEqual(['home_b'])
    await setLimits('owned', { max_days: 9 })
    await setLimits('owned', { max_days: 9 })
    const readEntries = async () => {
      const { entries } = (await neighborhood.call(neighborhood.a, getActivity, { group: 'changes' })).body.data
      return entries.filter(({ camera }: { camera: string }) => camera === 'owned')
    }
    await expect
      .poll(readEntries, WAIT_OPTIONS)
      .toEqual([expect.objectContaining({ kind: 'camera-settings', value: 'storage', count: 1 })])
  })

  test.each([
    ['too few bytes', { max_bytes: 1 }],
    ['too many days', { max_days: STORAGE_LIMIT_MAX_DAYS + 1 }],
    ['no days', { max_days: 0 }],
    ['half a day', { max_days: 1.5 }],
    ['text', { max_bytes: '1000000000' }],
  ])('reject %s', async (_name, limits) => {
    await openCamera('strict', [])
    expect((await setLimits('strict', limits)).status).toBe(400)
    expect(await readCamera('strict')).toMatchObject({ max_bytes: null, max_days: null })
  })

  test('allow the retention period of every plan', () => {
    expect(STORAGE_LIMIT_MAX_DAYS).toBe(Math.max(...PLANS.map(({ keepsDays }) => keepsDays ?? 0)))
  })
})
