import { afterAll, beforeAll, expect, test } from 'vitest'
import { batchGetBindings } from '../../../../contract/billing/licenses.ts'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'
import { getHomeDevices } from '../../../../contract/cameras/devices.ts'
import { readHomePlans } from '../../../../provider/billing/plans/plan-rows.ts'
import { openNeighborhood, type Neighborhood } from '../../../support/home.ts'

/** Provider of a hub at home, where all cameras have a plan without a purchase. */
let neighborhood: Neighborhood
beforeAll(async () => {
  neighborhood = await openNeighborhood({ change: () => ({ HOME_PLAN: 'unlimited' }) })
  await neighborhood.bindings.DB.exec('DELETE FROM subscriptions')
  for (const id of ['door_a', 'yard_a']) await neighborhood.a.bridge.register(id)
})
afterAll(() => neighborhood.close())

test('HOME_PLAN covers every camera without a purchase, also when retention deletes clips', async () => {
  const { body } = await neighborhood.call(neighborhood.a, getHomeDevices, {
    device_category: 'camera',
    env: 'test',
  })
  const { keepsDays } = getPlan('unlimited')
  const covered = expect.objectContaining({ covered: true, keeps_days: keepsDays }) as unknown
  expect(body.data.device_list).toEqual([covered, covered])
  expect(await readHomePlans(neighborhood.bindings, neighborhood.a.homeId)).toMatchObject({
    subscriptions: [{ sku: 'unlimited', status: 'active' }],
  })
})

test('HOME_PLAN is no subscription of the account', async () => {
  const { body } = await neighborhood.call(neighborhood.a, batchGetBindings, { device_macs: ['door_a'] })
  expect(body.data.bindings).toMatchObject([
    { device_mac: 'door_a', plan: { subscription_id: null, sku: 'unlimited', by: 'home' }, bound_to: null },
  ])
})
