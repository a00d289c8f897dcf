import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import {
  confAndSetting,
  deviceModels,
  setCameraListFilter,
  supportDevices,
} from '../../../../contract/cameras/device-models.ts'
import { accountList, ADMIN_PATHS } from '../../../../contract/operator/operator-calls.ts'
import { billingInfo } from '../../../../contract/billing/payment-methods-and-invoices.ts'
import { getLiveLayouts, setLiveLayouts } from '../../../../contract/live/saved-layouts.ts'
import { setT3List } from '../../../../contract/account/t3-list.ts'
import { callOperator } from '../../../../scripts/lib/operator.ts'
import { type Account, openNeighborhood, type Neighborhood } from '../../../support/home.ts'

let town: Neighborhood
beforeAll(async () => {
  town = await openNeighborhood()
  await town.a.bridge.register('door_a')
})
afterAll(() => town.close())

describe('account settings', () => {
  test('CALL-32 conf_and_setting returns the configuration, and no filter before one is chosen', async () => {
    const { body } = await town.call(town.b, confAndSetting)
    expect(v.is(confAndSetting.response, body)).toBe(true)
    expect(body.data.setting.CameraListFilter).toBeNull()
  })

  test('CALL-33 setting/CameraListFilter stores filterCamerasMac per account, for all its browsers', async () => {
    const saved = await town.call(town.a, setCameraListFilter, { filterCamerasMac: ['door_a', 'nowhere', 'door_a'] })
    expect(saved.body.data).toEqual({ filterCamerasMac: ['door_a'] })
    const [mine, theirs] = [await town.call(town.a, confAndSetting), await town.call(town.b, confAndSetting)]
    expect(mine.body.data.setting.CameraListFilter).toEqual({ filterCamerasMac: ['door_a'] })
    expect(theirs.body.data.setting.CameraListFilter).toBeNull()
    await town.call(town.a, setCameraListFilter, { filterCamerasMac: [] })
    const after = await town.call(town.a, confAndSetting)
    expect(after.body.data.setting.CameraListFilter).toEqual({ filterCamerasMac: [] })
  })
})

describe('saved layouts', () => {
  const evening = { name: 'Evening', mode: 'focus', order: ['door_a'], shown: [] } as const

  test('are stored in order for the account alone', async () => {
    expect((await town.call(town.a, getLiveLayouts)).body.data).toEqual({ layouts: [] })
    const layouts = [evening, { ...evening, name: 'Night', shown: ['door_a'] }]
    expect((await town.call(town.a, setLiveLayouts, { layouts })).body.data).toEqual({ layouts })
    expect((await town.call(town.a, getLiveLayouts)).body.data).toEqual({ layouts })
    expect((await town.call(town.b, getLiveLayouts)).body.data).toEqual({ layouts: [] })
  })

  test('are rejected with duplicate names, a missing name or too many layouts', async () => {
    const tooMany = Array.from({ length: 13 }, (_, at) => ({ ...evening, name: `Layout ${at}` }))
    for (const layouts of [[evening, evening], tooMany, [{ ...evening, name: ' ' }]])
      expect((await town.call(town.a, setLiveLayouts, { layouts })).body.code).toBe(400)
  })
})

describe('list for the tier T3 plan', () => {
  const isListed = async (account: Account) => {
    const params = { billing_provider: 'recurring' }
    return (await town.call(account, billingInfo, { kind: 'catalogue' }, params)).body.data.t3_list as boolean
  }
  const listedAtOperator = async () => {
    const { accounts } = v.parse(accountList, await callOperator(town.stage.env, 'GET', ADMIN_PATHS.accounts)).data
    return accounts.filter(({ t3_list }) => t3_list).map(({ user_id }) => user_id)
  }

  test('SESSION-05 OPEN-173 shows a joined account to itself and the operator until it leaves', async () => {
    expect([await isListed(town.a), await listedAtOperator()]).toEqual([false, []])
    for (const _ of [1, 2]) {
      const { body } = await town.call(town.a, setT3List, { joined: true })
      expect(body.data).toEqual({ joined: true })
    }
    expect([await isListed(town.a), await isListed(town.b)]).toEqual([true, false])
    expect(await listedAtOperator()).toEqual([town.a.userId])
    expect((await town.call(town.a, setT3List, { joined: false })).body.data).toEqual({ joined: false })
    expect([await isListed(town.a), await listedAtOperator()]).toEqual([false, []])
  })
})

describe('device models', () => {
  test('CALL-34 get_support_device_with_category returns the categories of a channel', async () => {
    const { body } = await town.call(town.a, supportDevices, { channel: 'web' })
    expect(v.is(supportDevices.response, body)).toBe(true)
    expect(body.data[0]).toMatchObject({ category: 'camera', name: 'Cameras' })
    expect((await town.call(town.a, supportDevices, { channel: 'fridge' })).body.data).toEqual([])
  })

  test('CALL-35 the platform device list returns groups with name and devices for the requested channels', async () => {
    const { body } = await town.call(town.a, deviceModels)
    expect(v.is(deviceModels.response, body)).toBe(true)
    const models = (group: { devices: { device_model: string }[] }) =>
      group.devices.map((device) => device.device_model)
    expect(body.data.map((group: { name: string }) => group.name)).toEqual(['Cameras'])
    expect(body.data[0].devices).toContainEqual(expect.objectContaining({ device_model: 'PL-DUO-V1', dual: true }))
    const rtsp = await town.call(town.a, deviceModels, { channel: 'fridge,rtsp' })
    expect(models(rtsp.body.data[0])).toEqual(['PL-RTSP'])
  })
})
