import type { CameraState } from '../../../../contract/cameras/devices.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EVENT_SPAN_MAX_MS, eventHistory, getEventList } from '../../../../contract/events/events.ts'
import { deleteEvents, timeline, type TimelineRun } from '../../../../contract/events/timeline.ts'
import { NO_PLANS } from '../../../../provider/billing/plans/plan-rows.ts'
import {
  createBridgeEvent,
  openNeighborhood,
  type Household,
  type Neighborhood,
  RECENT_TIME_MS,
} from '../../../support/home.ts'
import { MINUTE_MS } from '../../../../contract/time-units.ts'

/** Base time of the test data. It lies in the past, so that all events and states have already happened. */
const BASE_TIME = RECENT_TIME_MS

let neighborhood: Neighborhood
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  for (const id of ['door_a', 'yard_a', 'silent_a', 'film_a']) await neighborhood.a.bridge.register(id)
  await neighborhood.b.bridge.register('door_b')
})
afterAll(() => neighborhood.close())

const getHome = () => neighborhood.bindings.HOMES.getByName('home_a')
const setState = (device_id: string, from: number, state: CameraState, reason = '') =>
  getHome().setCameraState({ device_id, state, reason, since: from, from })

async function listRuns(
  device: string,
  begin_time: number,
  end_time: number,
  household = neighborhood.a,
): Promise<TimelineRun[]> {
  const { body } = await neighborhood.call(household, timeline, { device_ids: [device], begin_time, end_time })
  return body.data.devices[0].runs
}
const summarizeRuns = (runs: TimelineRun[]) =>
  runs.map(([from, to, state]) => [from - BASE_TIME, to - BASE_TIME, state])
const buildClipFields = (begin: number, length: number) => ({
  event_ts: begin,
  event_resources: [{ begin_time: begin, end_time: begin + length, resource_version: 1, resource_type: 's3' as const }],
})
async function addClip(
  device: string,
  id: string,
  begin: number,
  length: number,
  household: Household = neighborhood.a,
) {
  const clip_object = await household.bridge.upload(device, 'clip', id, Buffer.from(id))
  await household.bridge.postEvent(createBridgeEvent(device, id, { ...buildClipFields(begin, length), clip_object }))
}

describe('timeline', () => {
  test('shows exactly the 30 s for which a bridge was killed, between the states before and after', async () => {
    /* The camera's history starts at its registration, so these states must lie after the registration. */
    const now = Date.now()
    const at = now + MINUTE_MS
    await setState('door_a', at, 'awake')
    await setState('door_a', at + 20_000, 'bridge_off', 'No box.')
    await setState('door_a', at + 50_000, 'awake')
    const { device_id, runs } = (
      await getHome().timeline({ userId: 'user_a', plans: NO_PLANS, now: at + MINUTE_MS }, ['door_a'], {
        begin: at,
        end: at + MINUTE_MS,
      })
    )[0] as { device_id: string; runs: unknown[] }
    expect([device_id, runs]).toEqual([
      'door_a',
      [
        [at, at + 20_000, 'live_only', expect.stringContaining('nothing was recorded')],
        [at + 20_000, at + 50_000, 'bridge_off', 'No box.'],
        [at + 50_000, at + MINUTE_MS, 'live_only', expect.any(String)],
      ],
    ])
  })

  test('shows every camera state with a reason, and the future as unknown', async () => {
    const at = Date.now() + MINUTE_MS
    const all: CameraState[] = ['awake', 'asleep', 'waking', 'offline', 'switched_off', 'bridge_off']
    for (const [i, state] of all.entries()) await setState('silent_a', at + i * 1000, state)
    const [device] = await getHome().timeline({ userId: 'user_a', plans: NO_PLANS, now: at + 7000 }, ['silent_a'], {
      begin: at,
      end: at + 9000,
    })
    const runs = (device as unknown as { runs: TimelineRun[] }).runs
    expect(runs.map((run) => run[2])).toEqual([
      'live_only',
      'asleep',
      'live_only',
      'offline',
      'switched_off',
      'bridge_off',
      'unknown',
    ])
    expect(runs.every(([, , , reason]) => /^[A-Z].+\.$/.test(reason))).toBe(true)
    expect(runs.at(-1)).toEqual([at + 7000, at + 9000, 'unknown', expect.any(String)])
  })

  test('distinguishes clips from deleted ones, pending uploads and unknown times', async () => {
    await addClip('film_a', 'f1', BASE_TIME, 10_000)
    await addClip('film_a', 'f2', BASE_TIME + MINUTE_MS, 10_000)
    await neighborhood.a.bridge.postEvent(
      createBridgeEvent('film_a', 'f3', {
        event_ts: BASE_TIME + 3 * MINUTE_MS,
        clip_state: 'uploading',
        event_resources: [],
      }),
    )
    await neighborhood.call(neighborhood.a, deleteEvents, { event_ids: ['f2'] })
    const runs = await listRuns('film_a', BASE_TIME - 1000, BASE_TIME + 5 * MINUTE_MS)
    expect(summarizeRuns(runs)).toEqual([
      [-1000, 0, 'unknown'],
      [0, 10_000, 'recorded'],
      [10_000, MINUTE_MS, 'unknown'],
      [MINUTE_MS, MINUTE_MS + 10_000, 'expired'],
      [MINUTE_MS + 10_000, 3 * MINUTE_MS, 'unknown'],
      [3 * MINUTE_MS, 4 * MINUTE_MS, 'not_indexed'],
      [4 * MINUTE_MS, 5 * MINUTE_MS, 'unknown'],
    ])
    expect(runs[3]?.[3]).toMatch(/\bdeleted\b/)
  })

  test('marks recordings that the plan of a free home does not keep', async () => {
    await addClip('door_b', 'paid_type', BASE_TIME, 10_000, neighborhood.b)
    await neighborhood.b.bridge.postEvent(createBridgeEvent('door_b', 'none', { event_ts: BASE_TIME }))
    const { DB } = neighborhood.bindings
    await neighborhood.b.bridge.register('face_b')
    const clip_object = await neighborhood.b.bridge.upload('face_b', 'clip', 'face', Buffer.from('face'))
    await neighborhood.b.bridge.postEvent(
      createBridgeEvent('face_b', 'face', { ...buildClipFields(BASE_TIME, 5000), tags: ['12'], clip_object }),
    )
    expect(summarizeRuns(await listRuns('face_b', BASE_TIME, BASE_TIME + 5000, neighborhood.b))).toEqual([
      [0, 5000, 'recorded'],
    ])
    await DB.prepare("UPDATE subscriptions SET status = 'cancelled', renews_at = 0 WHERE user_id = 'user_b'").run()
    expect(summarizeRuns(await listRuns('face_b', BASE_TIME, BASE_TIME + 5000, neighborhood.b))).toEqual([
      [0, 5000, 'not_kept'],
    ])
    expect(summarizeRuns(await listRuns('door_b', BASE_TIME, BASE_TIME + 10_000, neighborhood.b))).toEqual([
      [0, 10_000, 'recorded'],
    ])
    await DB.prepare("UPDATE subscriptions SET status = 'active' WHERE user_id = 'user_b'").run()
  })

  test('lists several cameras in the requested order, each adding up to the range across midnight', async () => {
    const device_ids = ['yard_a', 'film_a', 'door_a']
    const [begin_time, end_time] = [Date.UTC(2026, 9, 24, 22), Date.UTC(2026, 9, 25, 23)]
    const { body } = await neighborhood.call(neighborhood.a, timeline, { device_ids, begin_time, end_time })
    const devices = body.data.devices as { device_id: string; runs: TimelineRun[] }[]
    expect(devices.map(({ device_id }) => device_id)).toEqual(device_ids)
    for (const { runs } of devices) {
      expect(runs.reduce((sum, [from, to]) => sum + to - from, 0)).toBe(25 * 3_600_000)
    }
  })

  test('treats a camera of another account like an unknown one', async () => {
    const fetchStatus = async (device_ids: string[]) =>
      (
        await neighborhood.call(neighborhood.b, timeline, {
          device_ids,
          begin_time: BASE_TIME,
          end_time: BASE_TIME + 1,
        })
      ).status
    expect([
      await fetchStatus(['door_a']),
      await fetchStatus(['door_b', 'door_a']),
      await fetchStatus(['nowhere']),
    ]).toEqual([404, 404, 404])
  })

  test('OPEN-63 returns error 3056 for more than 62 days, as event lists do', async () => {
    const end_time = BASE_TIME + EVENT_SPAN_MAX_MS
    const rest = { device_id_list: [], event_tag_list: [], event_value_list: [], order_by: 2, count: 10_000 }
    for (const call of [timeline, eventHistory, getEventList]) {
      const input = call === timeline ? { device_ids: ['yard_a'] } : rest
      const withinLimit = await neighborhood.call(neighborhood.a, call, { ...input, begin_time: BASE_TIME, end_time })
      const tooLong = await neighborhood.call(neighborhood.a, call, { ...input, begin_time: BASE_TIME - 1, end_time })
      expect([withinLimit.status, tooLong.status, tooLong.body.code]).toEqual([200, 400, 3056])
      expect(tooLong.body.msg).toContain('smaller date and time range')
    }
  })
})
