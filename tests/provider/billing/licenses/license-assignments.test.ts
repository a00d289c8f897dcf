import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ADMIN_PATHS } from '../../../../contract/operator/operator-calls.ts'
import { batchGetBindings, type Binding } from '../../../../contract/billing/licenses.ts'
import { removeCamera, shareCamera } from '../../../../contract/cameras/owner-calls.ts'
import { openNeighborhood, type Household, type Neighborhood } from '../../../support/home.ts'
import { addSubscription } from '../../../support/subscription-rows.ts'

const now = Date.now()
const CAMERAS = ['door_a', 'yard_a', 'shed_a']

let neighborhood: Neighborhood
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  for (const id of CAMERAS) await neighborhood.a.bridge.register(id)
  await neighborhood.b.bridge.register('door_b')
  await neighborhood.call(neighborhood.a, shareCamera, { device_id: 'yard_a', email: 'b@example.com', role: 2 })
})
afterAll(() => neighborhood.close())
beforeEach(() => neighborhood.bindings.DB.exec('DELETE FROM subscriptions'))

async function listBindings(household: Household, device_macs: readonly string[]): Promise<Binding[]> {
  return (await neighborhood.call(household, batchGetBindings, { device_macs })).body.data.bindings as Binding[]
}
const listCoveringPlans = async (household: Household, ids: readonly string[]) =>
  (await listBindings(household, ids)).map(({ device_mac, plan }) => [device_mac, plan?.by ?? null]).toSorted()
const addPlan = (household: Household, id: string, sku: 'cam-ai' | 'unlimited' | 'hms', change: object = {}) =>
  addSubscription(
    neighborhood.bindings.DB,
    household.userId,
    {
      subscription_id: id,
      sku,
      status: 'active',
      quantity: 1,
      period: 'annual',
      billing_provider: 'card',
      renews_at: now - 1,
      ...change,
    },
    now,
  )
const assignLicense = (device: string, id: string, at = now) =>
  neighborhood.bindings.DB.prepare('INSERT INTO bindings (device_id, subscription_id, bound_at) VALUES (?, ?, ?)')
    .bind(device, id, at)
    .run()
const listAssignedCameras = async () =>
  (await neighborhood.bindings.DB.prepare('SELECT device_id FROM bindings ORDER BY device_id').all()).results.map(
    (row) => row['device_id'],
  )

describe('CALL-29 BIND-04 the plan that covers a camera', () => {
  test('is a plan for the whole home, with its id visible only to its account', async () => {
    await addPlan(neighborhood.a, 'whole', 'unlimited')
    const plan = { subscription_id: 'whole', sku: 'unlimited', by: 'home' }
    const [door, ...others] = await listBindings(neighborhood.a, CAMERAS)
    expect(door).toEqual({ device_mac: expect.stringMatching('_a'), plan, bound_to: null, keeps_days: 30 })
    expect(others.map((binding) => binding.plan)).toEqual([plan, plan])
    expect(await listBindings(neighborhood.b, ['yard_a'])).toEqual([
      { device_mac: 'yard_a', plan: { ...plan, subscription_id: null }, bound_to: null, keeps_days: 30 },
    ])
  })

  test('is a license only for its assigned cameras, the earliest up to its quantity', async () => {
    await addPlan(neighborhood.a, 'two', 'cam-ai', { quantity: 2 })
    await assignLicense('yard_a', 'two')
    expect(await listCoveringPlans(neighborhood.a, CAMERAS)).toEqual([
      ['door_a', null],
      ['shed_a', null],
      ['yard_a', 'licence'],
    ])
    await assignLicense('door_a', 'two', now - 1)
    await assignLicense('shed_a', 'two', now + 1)
    // The covering plan of a camera does not depend on which other cameras the request names.
    expect([
      ...(await listCoveringPlans(neighborhood.a, ['shed_a'])),
      ...(await listCoveringPlans(neighborhood.a, ['door_a', 'yard_a'])),
    ]).toEqual([
      ['shed_a', null],
      ['door_a', 'licence'],
      ['yard_a', 'licence'],
    ])
    expect((await listBindings(neighborhood.a, ['shed_a']))[0]?.bound_to).toBe('two')
    expect((await listBindings(neighborhood.b, ['yard_a']))[0]).toMatchObject({
      plan: { sku: 'cam-ai' },
      bound_to: null,
    })
  })

  test('is the one with the longer retention period, and the license stays assigned', async () => {
    await addPlan(neighborhood.a, 'one', 'cam-ai')
    await addPlan(neighborhood.a, 'whole', 'unlimited')
    await assignLicense('door_a', 'one')
    expect(await listBindings(neighborhood.a, ['door_a'])).toMatchObject([
      { plan: { sku: 'unlimited' }, bound_to: 'one' },
    ])
  })

  test('is none without a plan, or with a non-camera plan, ended plan or another account’s license', async () => {
    expect(await listBindings(neighborhood.a, ['door_a'])).toEqual([
      { device_mac: 'door_a', plan: null, bound_to: null, keeps_days: 1 },
    ])
    await addPlan(neighborhood.a, 'guard', 'hms')
    await addPlan(neighborhood.a, 'ended', 'cam-ai', { status: 'cancelled' })
    await addPlan(neighborhood.b, 'theirs', 'cam-ai')
    await assignLicense('door_a', 'ended')
    await assignLicense('yard_a', 'theirs')
    expect((await listCoveringPlans(neighborhood.a, CAMERAS)).map(([, by]) => by)).toEqual([null, null, null])
    await addPlan(neighborhood.a, 'running_out', 'unlimited', { status: 'cancelled', renews_at: Date.now() + 60_000 })
    expect((await listCoveringPlans(neighborhood.a, CAMERAS)).map(([, by]) => by)).toEqual(['home', 'home', 'home'])
  })
})

describe('CALL-29 the time of an assignment', () => {
  test('is visible only to the account of the license, and missing if it was not stored', async () => {
    await addPlan(neighborhood.a, 'two', 'cam-ai', { quantity: 2 })
    await assignLicense('yard_a', 'two')
    expect((await listBindings(neighborhood.a, ['yard_a']))[0]).not.toHaveProperty('bound_at')
    await neighborhood.bindings.DB.exec('UPDATE bindings SET camera_bound_at = 77')
    expect((await listBindings(neighborhood.a, ['yard_a']))[0]).toMatchObject({ bound_to: 'two', bound_at: 77 })
    expect((await listBindings(neighborhood.b, ['yard_a']))[0]).not.toHaveProperty('bound_at')
  })
})

describe('CALL-29 a request for bindings', () => {
  test('omits unknown cameras and those of other accounts, and is rejected for more than 99', async () => {
    expect(await listBindings(neighborhood.a, ['nowhere'])).toEqual([])
    const mixed = await listBindings(neighborhood.a, ['door_a', 'door_b'])
    expect(mixed).toEqual(await listBindings(neighborhood.a, ['door_a', 'nowhere']))
    expect(mixed).toHaveLength(1)
    const many = Array.from({ length: 100 }, (_, n) => `cam_${n}`)
    expect((await neighborhood.call(neighborhood.a, batchGetBindings, { device_macs: many })).status).toBe(400)
  })
})

describe('a license assignment', () => {
  test('is deleted when the owner or the bridge removes the camera, and with the account', async () => {
    await addPlan(neighborhood.a, 'three', 'cam-ai', { quantity: 3 })
    for (const id of ['shed_a', 'door_a', 'yard_a']) await assignLicense(id, 'three')
    await neighborhood.call(neighborhood.a, removeCamera, { device_id: 'shed_a' })
    expect(await listAssignedCameras()).toEqual(['door_a', 'yard_a'])
    await neighborhood.a.bridge.send('DELETE', '/bridge/v1/cameras/yard_a')
    expect(await listAssignedCameras()).toEqual(['door_a'])
    const removed = await fetch(`${neighborhood.stage.env.PROVIDER_ORIGIN}${ADMIN_PATHS.accounts}/a@example.com`, {
      method: 'DELETE',
      headers: { authorization: `Admin ${neighborhood.stage.env.ADMIN_KEY}` },
    })
    expect([removed.status, await listAssignedCameras()]).toEqual([200, []])
  })
})
