import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  activate,
  batchGetBindings,
  type Binding,
  getAutoCover,
  transferLicense,
  setAutoCover,
  unbind,
} from '../../../../contract/billing/licenses.ts'
import { getHomeDevices } from '../../../../contract/cameras/devices.ts'
import { removeCamera, shareCamera } from '../../../../contract/cameras/owner-calls.ts'
import { sellFeedTicket } from '../../../../provider/homes/feed/open-feed.ts'
import { addAccount, openNeighborhood, type Neighborhood } from '../../../support/home.ts'
import { openSocket } from '../../../support/socket.ts'

const CAMERAS = ['door_a', 'yard_a', 'shed_a']
const PLAN = 'cam_ai_a'
let town: Neighborhood
let keys = 0
const key = () => `intent_of_the_test_${String((keys += 1)).padStart(4, '0')}`

beforeAll(async () => {
  town = await openNeighborhood()
  await town.bindings.DB.exec('DELETE FROM subscriptions')
  for (const id of CAMERAS) await town.a.bridge.register(id)
  await town.b.bridge.register('door_b')
  const plan = { sku: 'cam-ai', channel: 'web', status: 'active', quantity: 3, period: 'monthly' } as const
  const paid = { billing_provider: 'recurring', since: Date.now(), renews_at: Date.now() + 9e8 } as const
  await ledger().open([{ subscription_id: PLAN, ...plan, ...paid }], Date.now())
})
afterAll(() => town.close())

const ledger = () => town.bindings.LEDGERS.getByName(town.a.userId)
const bind = (device_macs: string[]) => town.call(town.a, activate, { subscription_id: PLAN, device_macs })
const free = (device_macs: string[], intent = key()) =>
  town.call(town.a, unbind, { subscription_id: PLAN, device_macs, intent })
async function boundNow(): Promise<string[]> {
  const { results } = await town.bindings.DB.prepare(
    'SELECT device_id FROM bindings WHERE subscription_id = ? ORDER BY device_id',
  )
    .bind(PLAN)
    .all<{ device_id: string }>()
  return results.map(({ device_id }) => device_id)
}

beforeEach(async () => {
  const bound = await boundNow()
  if (bound.length > 0) await free(bound)
})

describe('license unassignment', () => {
  test('takes the plan from the camera immediately, and a repeated intent changes nothing', async () => {
    await bind(['door_a', 'yard_a'])
    const intent = key()
    const first = await free(['door_a', 'shed_a'], intent)
    expect([first.status, first.body.data.devices]).toEqual([
      200,
      [
        { device_mac: 'door_a', done: true, why: null },
        { device_mac: 'shed_a', done: false, why: 'not_bound' },
      ],
    ])
    await bind(['door_a'])
    expect((await free(['door_a', 'shed_a'], intent)).body).toEqual(first.body)
    expect(await boundNow()).toEqual(['door_a', 'yard_a'])
    expect((await free(['yard_a'], intent)).status).toBe(422)
  })

  test('notifies open pages of the home', async () => {
    await bind(['door_a'])
    const { url } = await sellFeedTicket(town.bindings, town.a.userId, Date.now())
    const feed = await openSocket(url, { origin: town.stage.env.PORTAL_ORIGIN })
    await feed.receive((message) => message.type === 'hello')
    await free(['door_a'])
    expect(await feed.receive((message) => message.type === 'access')).toEqual({ type: 'access' })
    await feed.close()
  })
})

describe('license transfer', () => {
  test('moves a license from one camera to another in one step', async () => {
    await bind(CAMERAS)
    await town.a.bridge.register('late_a')
    const request = { subscription_id: PLAN, from: 'shed_a', to: 'late_a', intent: key() }
    const moved = await town.call(town.a, transferLicense, request)
    expect(moved.body.data.devices).toEqual([
      { device_mac: 'shed_a', done: true, why: null },
      { device_mac: 'late_a', done: true, why: null },
    ])
    expect((await town.call(town.a, transferLicense, request)).body).toEqual(moved.body)
    expect(await boundNow()).toEqual(['door_a', 'late_a', 'yard_a'])
    expect(await ledger().audit(Date.now())).toMatchObject({ crooked: [], strayed: [] })
  })

  test('neither takes a license from another account nor gives one to it', async () => {
    await bind(['door_a'])
    const theirs = { subscription_id: PLAN, from: 'door_a', to: 'door_b', intent: key() }
    expect((await town.call(town.b, transferLicense, theirs)).status).toBe(404)
    const { body } = await town.call(town.a, transferLicense, theirs)
    expect(body.data.devices).toMatchObject([{ done: false }, { done: false, why: 'not_yours' }])
    expect(await boundNow()).toEqual(['door_a'])
  })
})

describe('new camera', () => {
  const choose = (on: boolean) => town.call(town.a, setAutoCover, { on, intent: key() })
  const chosen = async () => (await town.call(town.a, getAutoCover)).body.data.on

  test('gets a free license automatically, and frees it when removed', async () => {
    expect(await chosen()).toBe(true)
    await town.a.bridge.register('porch_a')
    expect(await boundNow()).toEqual(['porch_a'])
    await town.a.bridge.register('porch_a', { nickname: 'Porch' })
    await town.call(town.a, removeCamera, { device_id: 'porch_a' })
    expect(await boundNow()).toEqual([])
    await town.a.bridge.register('side_a')
    expect(await boundNow()).toEqual(['side_a'])
    await town.a.bridge.send('DELETE', '/bridge/v1/cameras/side_a')
    expect(await boundNow()).toEqual([])
  })

  test('gets none if the account opts out, which applies to that account alone', async () => {
    expect((await choose(false)).body.data).toEqual({ on: false })
    expect([await chosen(), (await town.call(town.b, getAutoCover)).body.data.on]).toEqual([false, true])
    await town.a.bridge.register('attic_a')
    expect(await boundNow()).toEqual([])
    await choose(true)
    expect(await boundNow()).toEqual([])
  })

  test('a known camera that registers again gets no license', async () => {
    await town.a.bridge.register('door_a', { nickname: 'Door' })
    expect(await boundNow()).toEqual([])
  })
})

test('OPEN-55 a guest sees the plan of a shared camera but cannot assign a license to it', async () => {
  const guest = await addAccount(town.bindings, 'guest')
  await bind(['door_a'])
  await town.call(town.a, shareCamera, { device_id: 'door_a', email: 'guest@example.com', role: 2 })
  const seen = await town.call(guest, batchGetBindings, { device_macs: ['door_a'] })
  const [door] = seen.body.data.bindings as Binding[]
  expect(door).toMatchObject({ plan: { sku: 'cam-ai', by: 'licence', subscription_id: null }, bound_to: null })
  for (const [call, input] of [
    [activate, { subscription_id: PLAN, device_macs: ['door_a'] }],
    [unbind, { subscription_id: PLAN, device_macs: ['door_a'], intent: key() }],
  ] as const)
    expect((await town.call(guest, call, input)).status).toBe(404)
  const { body } = await town.call(guest, getHomeDevices, { device_category: 'camera', env: 'beta' })
  expect(body.data.device_list).toMatchObject([{ device_id: 'door_a', covered: true }])
  expect(await boundNow()).toEqual(['door_a'])
})
