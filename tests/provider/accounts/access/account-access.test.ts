import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BRIDGE_PATHS } from '../../../../contract/bridge/bridge-protocol.ts'
import type { Call } from '../../../../contract/wire/call.ts'
import { userMe } from '../../../../contract/auth/user-calls.ts'
import { removeCamera, revokeShare, shareCamera } from '../../../../contract/cameras/owner-calls.ts'
import { getHomeDevices, getHomes } from '../../../../contract/cameras/devices.ts'
import { getEvent } from '../../../../contract/events/event-calls.ts'
import { eventHistory } from '../../../../contract/events/events.ts'
import { feedTicket } from '../../../../contract/events/feed-and-review-calls.ts'
import { timeline } from '../../../../contract/events/timeline.ts'
import { getStreams } from '../../../../contract/live/live-calls.ts'
import { onboardingRegister } from '../../../../contract/search/search-calls.ts'
import { loadAccountAccess } from '../../../../provider/accounts/access/account-access-rows.ts'
import { changeAccessInBatch, selectAccountsOfHome } from '../../../../provider/platform/auth/change-access.ts'
import { createHome } from '../../../../provider/homes/members/create-home.ts'
import { eventsRequest } from '../../../../src/early/requests/events.ts'
import {
  addAccount,
  createBridgeEvent,
  openNeighborhood,
  RECENT_TIME_MS,
  type Account,
  type Neighborhood,
} from '../../../support/home.ts'
import { withoutDatabase } from '../../../support/unavailable-database.ts'

let neighborhood: Neighborhood
let guest: Account
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  for (const device of ['door_a', 'yard_a']) await neighborhood.a.bridge.register(device)
  await neighborhood.a.bridge.postEvent(createBridgeEvent('door_a', 'at_door'))
  guest = await addAccount(neighborhood.bindings, 'guest')
})
afterAll(() => neighborhood.close())

/** Type of an event that the free plan does not show. */
const PAID_EVENT_TAG = '12'
const DEVICES_INPUT = { device_category: 'camera', env: 'beta' }
const EVENTS_INPUT = eventsRequest({ begin: RECENT_TIME_MS, end: RECENT_TIME_MS }, false).input
const ORDINARY_CALLS: readonly [string, Call, Record<string, unknown>][] = [
  ['the account', userMe, {}],
  ['homes', getHomes, {}],
  ['cameras', getHomeDevices, DEVICES_INPUT],
  ['live streams', getStreams, { device_list: [{ device_id: 'door_a' }] }],
  ['the feed', feedTicket, {}],
  ['events', eventHistory, EVENTS_INPUT],
  ['an event', getEvent, { event_id: 'at_door', device_id: 'door_a' }],
  ['the timeline', timeline, { device_ids: ['door_a'], begin_time: RECENT_TIME_MS - 1000, end_time: RECENT_TIME_MS }],
]

test.each(ORDINARY_CALLS)('after the first call of an account, %s reads nothing from D1', async (_, call, input) => {
  const { a, bindings } = neighborhood
  expect((await neighborhood.call(a, getHomeDevices, DEVICES_INPUT)).status).toBe(200)
  const { status } = await withoutDatabase(bindings, () => neighborhood.call(a, call, input))
  expect(status).toBe(200)
})

/** Returns the access that the account's object uses, after checking that D1 contains the same. */
async function readCurrentAccess({ userId }: Account) {
  const access = await neighborhood.bindings.GUARDS.getByName(userId).readAccess(userId)
  expect(access).toEqual(await loadAccountAccess(neighborhood.bindings.DB, userId))
  return access
}
const listCameras = async (account: Account) =>
  (await readCurrentAccess(account)).cameras.map(({ device_id }) => device_id).sort()

describe('at the next call after a write, an account has the rights in D1', () => {
  test('a share starts, changes its role and ends', async () => {
    const share = { device_id: 'door_a', email: 'guest@example.com' }
    expect(await listCameras(guest)).toEqual([])
    await neighborhood.call(neighborhood.a, shareCamera, { ...share, role: 2 })
    expect(await listCameras(guest)).toEqual(['door_a'])
    await neighborhood.call(neighborhood.a, revokeShare, share)
    expect(await listCameras(guest)).toEqual([])
    expect((await neighborhood.call(guest, getEvent, { event_id: 'at_door', device_id: 'door_a' })).status).toBe(404)
  })

  test('a share that starts while the camera is being removed ends with the camera', async () => {
    const { a, bindings } = neighborhood
    const share = { device_id: 'yard_a', email: 'guest@example.com' }
    /** The guest gains and caches the share after the change has started, and before its write. */
    const DB = {
      ...bindings.DB,
      batch: async (statements: Parameters<typeof bindings.DB.batch>[0]) => {
        await neighborhood.call(a, shareCamera, { ...share, role: 2 })
        expect(await listCameras(guest)).toEqual(['yard_a'])
        return await bindings.DB.batch(statements)
      },
    } as unknown as typeof bindings.DB
    // The quoted name hides the write from `createTestBindings`.
    const removal = bindings.DB.prepare(`DELETE FROM "shares" WHERE device_id = 'yard_a'`)
    await changeAccessInBatch({ ...bindings, DB }, selectAccountsOfHome(bindings, a.homeId), [removal])
    expect(await listCameras(guest)).toEqual([])
  })

  test('a camera of the home is registered, removed by the owner, and removed by the bridge', async () => {
    const { a } = neighborhood
    for (const device of ['shed_a', 'barn_a']) {
      await a.bridge.register(device)
      expect(await listCameras(a)).toContain(device)
    }
    await neighborhood.call(a, shareCamera, { device_id: 'shed_a', email: 'guest@example.com', role: 2 })
    expect(await listCameras(guest)).toEqual(['shed_a'])
    await neighborhood.call(a, removeCamera, { device_id: 'shed_a' })
    await a.bridge.send('DELETE', `${BRIDGE_PATHS.cameras}/barn_a`)
    expect([await listCameras(guest), await listCameras(a)]).toEqual([[], ['door_a', 'yard_a']])
  })

  test('an account turns on search', async () => {
    expect(await readCurrentAccess(neighborhood.a)).toMatchObject({ isEnrolledInSearch: false })
    await neighborhood.call(neighborhood.a, onboardingRegister)
    expect(await readCurrentAccess(neighborhood.a)).toMatchObject({ isEnrolledInSearch: true })
  })

  test('a home gets a name and another owner', async () => {
    const { a, bindings } = neighborhood
    const { userId } = await addAccount(bindings, 'partner')
    await readCurrentAccess(a)
    await createHome(bindings, { homeId: a.homeId, name: 'Cabin', ownerUserId: userId, demo: true }, Date.now())
    expect((await readCurrentAccess(a)).homes).toMatchObject([{ home_id: a.homeId, name: 'Cabin' }])
  })
})

test('a plan in the cache stops at its end, even if D1 is unavailable', async () => {
  const { bindings, b } = neighborhood
  await b.bridge.register('door_b')
  await b.bridge.postEvent(createBridgeEvent('door_b', 'paid', { tags: [PAID_EVENT_TAG] }))
  const endsAt = Date.now() + 2000
  await bindings.DB.prepare("UPDATE subscriptions SET status = 'cancelled', renews_at = ? WHERE user_id = 'user_b'")
    .bind(endsAt)
    .run()
  const countEvents = async () =>
    ((await neighborhood.call(b, eventHistory, EVENTS_INPUT)).body.data.event_list as unknown[]).length
  expect(await countEvents()).toBe(1)
  await withoutDatabase(bindings, () => expect.poll(countEvents, { timeout: 10_000 }).toBe(0))
  expect(Date.now()).toBeGreaterThanOrEqual(endsAt)
})
