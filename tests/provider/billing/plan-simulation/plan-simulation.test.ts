import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shareCamera } from '../../../../contract/cameras/owner-calls.ts'
import { eventHistory, type Event } from '../../../../contract/events/events.ts'
import { listCollectionPeople } from '../../../../contract/events/faces.ts'
import { getStreams } from '../../../../contract/live/live-calls.ts'
import { simulatePlans } from '../../../../contract/billing/payment-calls.ts'
import { onboardingRegister, search } from '../../../../contract/search/search-calls.ts'
import { deleteEvents } from '../../../../contract/events/timeline.ts'
import { COMPARED_PLANS, PLAN_COMPARISON } from '../../../../src/domain/billing/plan-comparison.ts'
import {
  type Account,
  addAccount,
  createBridgeEvent,
  openNeighborhood,
  type Neighborhood,
} from '../../../support/home.ts'
import { SEARCH_INPUT } from '../../../support/home-calls.ts'
import { DAY_MS } from '../../../../contract/time-units.ts'

const NOW = Date.now()
let neighborhood: Neighborhood
let guest: Account
const getSimulation = async (account: Account) => (await neighborhood.call(account, simulatePlans)).body.data
const buildSearch = (query: string) => ({
  ...SEARCH_INPUT,
  device_macs_to_include: [],
  start_ts: NOW - 40 * DAY_MS,
  end_ts: NOW,
  query,
})

async function addClip(camera: string, id: string, days: number, change: object = {}): Promise<void> {
  const bytes = Buffer.from(id)
  const clip_object = await neighborhood.a.bridge.upload(camera, 'clip', id, bytes)
  const event = createBridgeEvent(camera, id, { event_ts: NOW - days * DAY_MS - 60_000, clip_object, ...change })
  expect((await neighborhood.a.bridge.postEvent(event)).status).toBe(200)
}

const setPlan = (sku: string, status = 'active') =>
  neighborhood.bindings.DB.prepare(
    "UPDATE subscriptions SET sku = ?, status = ?, renews_at = 0 WHERE user_id = 'user_a'",
  )
    .bind(sku, status)
    .run()

beforeAll(async () => {
  neighborhood = await openNeighborhood()
  guest = await addAccount(neighborhood.bindings, 'guest')
  for (const camera of ['door_a', 'yard_a']) await neighborhood.a.bridge.register(camera)
  await neighborhood.b.bridge.register('door_b')
  await neighborhood.call(neighborhood.a, shareCamera, { device_id: 'door_a', email: 'guest@example.com', role: 2 })
  const fox = [{ at_s: 1, text: 'A fox crosses the lawn' }]
  const courier = [{ at_s: 1, text: 'A courier leaves a parcel' }]
  await addClip('door_a', 'e0_a', 0, { moments: courier })
  await addClip('door_a', 'e5_a', 5, { tags: ['900'] })
  await addClip('yard_a', 'e6_a', 6, { moments: fox })
  await addClip('door_a', 'e20_a', 20, { moments: [{ at_s: 1, text: 'A ladder falls' }] })
  await addClip('yard_a', 'e24_a', 24)
  await addClip('yard_a', 'e35_a', 35)
  await addClip('yard_a', 'gone_a', 1)
  await neighborhood.call(neighborhood.a, deleteEvents, { event_ids: ['gone_a'] })
  await neighborhood.call(neighborhood.a, onboardingRegister)
  for (const query of ['courier', 'fox', 'ladder', 'zeppelin'])
    await neighborhood.call(neighborhood.a, search, buildSearch(query))
})
afterAll(() => neighborhood.close())

describe('EXT-plan-truth plan simulation', () => {
  test('shows what each plan would have kept of the last 30 days and which searches it would answer', async () => {
    const { plans, from, to, camera_clips, ...totals } = await getSimulation(neighborhood.a)
    expect(totals).toEqual({ days: 25, cameras: 2, clips: 5, searches: 4 })
    expect(to - from).toBe(25 * DAY_MS)
    expect(camera_clips).toEqual([
      { device_id: 'door_a', with_plan: 2, without_plan: 1 },
      { device_id: 'yard_a', with_plan: 1, without_plan: 0 },
    ])
    expect(plans).toEqual([
      { sku: 'free', cameras: 2, is_own: false, kept: 1, lost: 4, found: null },
      { sku: 'cam-ai', cameras: 2, is_own: false, kept: 3, lost: 2, found: 2 },
      { sku: 'unlimited', cameras: 2, is_own: true, kept: 5, lost: 0, found: 3 },
      { sku: 'pro', cameras: 2, is_own: false, kept: 5, lost: 0, found: 3 },
    ])
  })

  test('counts what the plan hides but has not deleted yet, by the currently covered cameras', async () => {
    await setPlan('cam-ai')
    await neighborhood.bindings.DB.prepare(
      "INSERT INTO bindings (device_id, subscription_id, bound_at) VALUES ('door_a', 'user_a', 1)",
    ).run()
    const { plans, clips } = await getSimulation(neighborhood.a)
    expect(clips).toBe(5)
    expect(plans.slice(0, 3)).toEqual([
      { sku: 'free', cameras: 2, is_own: false, kept: 1, lost: 4, found: null },
      { sku: 'cam-ai', cameras: 1, is_own: true, kept: 2, lost: 3, found: 1 },
      { sku: 'cam-ai', cameras: 2, is_own: false, kept: 3, lost: 2, found: 2 },
    ])
    await neighborhood.bindings.DB.exec('DELETE FROM bindings')
    expect((await getSimulation(neighborhood.a)).plans.slice(0, 3)).toEqual([
      { sku: 'free', cameras: 2, is_own: false, kept: 1, lost: 4, found: null },
      { sku: 'cam-ai', cameras: 0, is_own: true, kept: 1, lost: 4, found: 0 },
      { sku: 'cam-ai', cameras: 2, is_own: false, kept: 3, lost: 2, found: 2 },
    ])
    await setPlan('unlimited', 'cancelled')
    expect((await getSimulation(neighborhood.a)).plans.map((plan: { is_own: boolean }) => plan.is_own)).toEqual([
      true,
      false,
      false,
      false,
    ])
    await setPlan('unlimited')
  })

  test('covers only owned homes and reveals nothing to a guest or a neighbor', async () => {
    for (const somebody of [guest, neighborhood.b])
      expect(await getSimulation(somebody)).toMatchObject({ days: 0, clips: 0, searches: 0 })
    expect((await getSimulation(guest)).cameras).toBe(0)
    expect((await getSimulation(neighborhood.b)).cameras).toBe(1)
  })

  test('is rate-limited', async () => {
    const { token } = await addAccount(neighborhood.bindings, 'hasty')
    const answers: number[] = []
    for (let n = 0; n < 36; n++)
      answers.push((await neighborhood.call({ userId: 'user_hasty', token }, simulatePlans)).status)
    expect(answers.slice(0, 30).every((status) => status === 200)).toBe(true)
    expect(answers).toContain(429)
  })
})

describe('plan comparison', () => {
  const assignLicense = (camera: string) =>
    neighborhood.bindings.DB.prepare(
      "INSERT INTO bindings (device_id, subscription_id, bound_at) VALUES (?, 'user_a', 1)",
    )
      .bind(camera)
      .run()
  const daysAgo = ({ event_ts }: Event) => Math.floor((NOW - event_ts) / DAY_MS)
  const listEvents = async (): Promise<Event[]> => {
    const span = { begin_time: NOW - 61 * DAY_MS, end_time: NOW, count: 10_000, order_by: 2 }
    const filter = { device_id_list: [], event_tag_list: [], event_value_list: [] }
    return (await neighborhood.call(neighborhood.a, eventHistory, { ...span, ...filter })).body.data.event_list
  }

  const countLiveStreams = async (): Promise<number> => {
    const device_list = [{ device_id: 'door_a' }, { device_id: 'yard_a' }]
    return (await neighborhood.call(neighborhood.a, getStreams, { device_list })).body.data.streams.length
  }

  /** Check for each row of the comparison: tests the provider and returns the value that the row should show. */
  const ROW_CHECKS: Readonly<Record<string, (sku: string) => Promise<string | boolean>>> = {
    'Live video': async () => (await countLiveStreams()) === 2,
    'Clip history': async () => {
      const days = Math.max(...(await listEvents()).filter(({ device_id }) => device_id === 'door_a').map(daysAgo)) + 1
      return days === 1 ? '1 day' : `${days} days`
    },
    Cameras: async (sku) => {
      const retainedIds = new Set(
        (await listEvents()).filter((event) => daysAgo(event) > 0).map(({ device_id }) => device_id),
      )
      if (sku === 'free') return (await countLiveStreams()) === 2 && retainedIds.size === 0 ? 'All' : 'None'
      return retainedIds.size === 1 ? 'The ones you choose' : 'All, up to 99'
    },
    'Event types': async () =>
      (await listEvents()).some(({ event_id }) => event_id === 'face_only_a') ? 'All' : 'All except faces',
    Search: async () => {
      const { status, body } = await neighborhood.call(neighborhood.a, search, buildSearch('courier'))
      return status === 200 && body.data.total > 0
    },
    'People by name': async () => {
      const { body } = await neighborhood.call(neighborhood.a, listCollectionPeople, {}, { collection_id: 'home_a' })
      return body.data.people.length > 0
    },
  }

  beforeAll(async () => {
    // Ages in days. 13, 29 and 59: the oldest clip that each paid plan retains. 1, 14 and 30: clips one day too old for
    // the free plan, Camera AI and Unlimited.
    for (const day of [1, 13, 14, 29, 30, 59]) await addClip('door_a', `day${day}_a`, day)
    await addClip('door_a', 'face_a', 0, { event_values: ['face', 'Maya'] })
    await addClip('door_a', 'face_only_a', 0, { tags: ['12'] })
    await assignLicense('door_a')
  })

  test.each(COMPARED_PLANS)('matches what the provider gives with %s', async (sku) => {
    await setPlan(sku)
    const actual = Object.fromEntries(
      await Promise.all(PLAN_COMPARISON.map(async ({ feature }) => [feature, await ROW_CHECKS[feature]?.(sku)])),
    )
    expect(actual).toEqual(Object.fromEntries(PLAN_COMPARISON.map(({ feature, values }) => [feature, values[sku]])))
  })
})
