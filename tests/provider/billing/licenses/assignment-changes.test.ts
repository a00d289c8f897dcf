import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  activateLicenses,
  batchGetBindings,
  type Binding,
  getAutoAssignment,
  transferLicense,
  setAutoAssignment,
  unassignLicenses,
} from '../../../../contract/billing/licenses.ts'
import { getHomeDevices } from '../../../../contract/cameras/devices.ts'
import { removeCamera, shareCamera } from '../../../../contract/cameras/owner-calls.ts'
import { feedTicket } from '../../../../contract/events/feed-and-review-calls.ts'
import { addAccount, openNeighborhood, type Neighborhood } from '../../../support/home.ts'
import { openSocket } from '../../../support/socket.ts'

const CAMERAS = ['door_a', 'yard_a', 'shed_a']
const PLAN_ID = 'cam_ai_a'
let neighborhood: Neighborhood
let idempotencyKeyCount = 0
const nextIdempotencyKey = () => `intent_of_the_test_${String((idempotencyKeyCount += 1)).padStart(4, '0')}`

beforeAll(async () => {
  neighborhood = await openNeighborhood()
  await neighborhood.bindings.DB.exec('DELETE FROM subscriptions')
  for (const id of CAMERAS) await neighborhood.a.bridge.register(id)
  await neighborhood.b.bridge.register('door_b')
  const plan = { sku: 'cam-ai', channel: 'web', status: 'active', quantity: 3, period: 'monthly' } as const
  const paid = { billing_provider: 'recurring', since: Date.now(), renews_at: Date.now() + 9e8 } as const
  await getLedger().importSubscriptions([{ subscription_id: PLAN_ID, ...plan, ...paid }], Date.now())
})
afterAll(() => neighborhood.close())

const getLedger = () => neighborhood.bindings.LEDGERS.getByName(neighborhood.a.userId)
const assignLicenses = (device_macs: string[]) =>
  neighborhood.call(neighborhood.a, activateLicenses, { subscription_id: PLAN_ID, device_macs })
const freeCameras = (device_macs: string[], intent = nextIdempotencyKey()) =>
  neighborhood.call(neighborhood.a, unassignLicenses, { subscription_id: PLAN_ID, device_macs, intent })
async function listAssignedCameras(): Promise<string[]> {
  const { results } = await neighborhood.bindings.DB.prepare(
    'SELECT device_id FROM bindings WHERE subscription_id = ? ORDER BY device_id',
  )
    .bind(PLAN_ID)
    .all<{ device_id: string }>()
  return results.map(({ device_id }) => device_id)
}

beforeEach(async () => {
  const bound = await listAssignedCameras()
  if (bound.length > 0) await freeCameras(bound)
})

describe('license unassignment', () => {
  test('takes the plan from the camera immediately, and a repeated intent changes nothing', async () => {
    await assignLicenses(['door_a', 'yard_a'])
    const intent = nextIdempotencyKey()
    const first = await freeCameras(['door_a', 'shed_a'], intent)
    expect([first.status, first.body.data.devices]).toEqual([
      200,
      [
        { device_mac: 'door_a', done: true, why: null },
        { device_mac: 'shed_a', done: false, why: 'not_bound' },
      ],
    ])
    await assignLicenses(['door_a'])
    expect((await freeCameras(['door_a', 'shed_a'], intent)).body).toEqual(first.body)
    expect(await listAssignedCameras()).toEqual(['door_a', 'yard_a'])
    expect((await freeCameras(['yard_a'], intent)).status).toBe(422)
  })

  test('notifies open pages of the home', async () => {
    await assignLicenses(['door_a'])
    const { url } = (await neighborhood.call(neighborhood.a, feedTicket)).body.data
    const feed = await openSocket(url, { origin: neighborhood.stage.env.PORTAL_ORIGIN })
    await feed.receive((message) => message.type === 'hello')
    await freeCameras(['door_a'])
    expect(await feed.receive((message) => message.type === 'access')).toEqual({ type: 'access' })
    await feed.close()
  })
})

describe('license transfer', () => {
  test('moves a license from one camera to another in one step', async () => {
    await assignLicenses(CAMERAS)
    await neighborhood.a.bridge.register('late_a')
    const request = { subscription_id: PLAN_ID, from: 'shed_a', to: 'late_a', intent: nextIdempotencyKey() }
    const moved = await neighborhood.call(neighborhood.a, transferLicense, request)
    expect(moved.body.data.devices).toEqual([
      { device_mac: 'shed_a', done: true, why: null },
      { device_mac: 'late_a', done: true, why: null },
    ])
    expect((await neighborhood.call(neighborhood.a, transferLicense, request)).body).toEqual(moved.body)
    expect(await listAssignedCameras()).toEqual(['door_a', 'late_a', 'yard_a'])
    expect(await getLedger().createReconciliationSnapshot(Date.now())).toMatchObject({ crooked: [], strayed: [] })
  })

  test('neither takes a license from another account nor gives one to it', async () => {
    await assignLicenses(['door_a'])
    const theirs = { subscription_id: PLAN_ID, from: 'door_a', to: 'door_b', intent: nextIdempotencyKey() }
    expect((await neighborhood.call(neighborhood.b, transferLicense, theirs)).status).toBe(404)
    const { body } = await neighborhood.call(neighborhood.a, transferLicense, theirs)
    expect(body.data.devices).toMatchObject([{ done: false }, { done: false, why: 'not_yours' }])
    expect(await listAssignedCameras()).toEqual(['door_a'])
  })
})

describe('new camera', () => {
  const setAutoAssign = (on: boolean) =>
    neighborhood.call(neighborhood.a, setAutoAssignment, { on, intent: nextIdempotencyKey() })
  const isAutoAssignOn = async () => (await neighborhood.call(neighborhood.a, getAutoAssignment)).body.data.on

  test('gets a free license automatically, and frees it when removed', async () => {
    expect(await isAutoAssignOn()).toBe(true)
    await neighborhood.a.bridge.register('porch_a')
    expect(await listAssignedCameras()).toEqual(['porch_a'])
    await neighborhood.a.bridge.register('porch_a', { nickname: 'Porch' })
    await neighborhood.call(neighborhood.a, removeCamera, { device_id: 'porch_a' })
    expect(await listAssignedCameras()).toEqual([])
    await neighborhood.a.bridge.register('side_a')
    expect(await listAssignedCameras()).toEqual(['side_a'])
    await neighborhood.a.bridge.send('DELETE', '/bridge/v1/cameras/side_a')
    expect(await listAssignedCameras()).toEqual([])
  })

  test('gets none if the account opts out, which applies to that account alone', async () => {
    expect((await setAutoAssign(false)).body.data).toEqual({ on: false })
    expect([await isAutoAssignOn(), (await neighborhood.call(neighborhood.b, getAutoAssignment)).body.data.on]).toEqual(
      [false, true],
    )
    await neighborhood.a.bridge.register('attic_a')
    expect(await listAssignedCameras()).toEqual([])
    await setAutoAssign(true)
    expect(await listAssignedCameras()).toEqual([])
  })

  test('a known camera that registers again gets no license', async () => {
    await neighborhood.a.bridge.register('door_a', { nickname: 'Door' })
    expect(await listAssignedCameras()).toEqual([])
  })
})

test('OPEN-55 a guest sees the plan of a shared camera but cannot assign a license to it', async () => {
  const guest = await addAccount(neighborhood.bindings, 'guest')
  await assignLicenses(['door_a'])
  await neighborhood.call(neighborhood.a, shareCamera, { device_id: 'door_a', email: 'guest@example.com', role: 2 })
  const seen = await neighborhood.call(guest, batchGetBindings, { device_macs: ['door_a'] })
  const [door] = seen.body.data.bindings as Binding[]
  expect(door).toMatchObject({ plan: { sku: 'cam-ai', by: 'licence', subscription_id: null }, bound_to: null })
  for (const [call, input] of [
    [activateLicenses, { subscription_id: PLAN_ID, device_macs: ['door_a'] }],
    [unassignLicenses, { subscription_id: PLAN_ID, device_macs: ['door_a'], intent: nextIdempotencyKey() }],
  ] as const)
    expect((await neighborhood.call(guest, call, input)).status).toBe(404)
  const { body } = await neighborhood.call(guest, getHomeDevices, { device_category: 'camera', env: 'beta' })
  expect(body.data.device_list).toMatchObject([{ device_id: 'door_a', covered: true }])
  expect(await listAssignedCameras()).toEqual(['door_a'])
})
