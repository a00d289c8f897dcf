import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import {
  getConfAndSetting,
  getDeviceModels,
  setCameraListFilter,
  getSupportedDevices,
} from '../../../../contract/cameras/device-models.ts'
import { accountList, ADMIN_PATHS } from '../../../../contract/operator/operator-calls.ts'
import { getBillingInfo } from '../../../../contract/billing/payment-methods-and-invoices.ts'
import { getLiveLayouts, setLiveLayouts } from '../../../../contract/live/saved-layouts.ts'
import { setHomeTimeZone } from '../../../../contract/account/home-time-zone.ts'
import { setT3List } from '../../../../contract/account/t3-list.ts'
import { callOperator } from '../../../../scripts/lib/operator.ts'
import { type Account, openNeighborhood, type Neighborhood } from '../../../support/home.ts'

let neighborhood: Neighborhood
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  await neighborhood.a.bridge.register('door_a')
})
afterAll(() => neighborhood.close())

describe('account settings', () => {
  test('CALL-32 conf_and_setting returns the configuration, and no filter before one is chosen', async () => {
    const { body } = await neighborhood.call(neighborhood.b, getConfAndSetting)
    expect(v.is(getConfAndSetting.response, body)).toBe(true)
    expect(body.data.setting.CameraListFilter).toBeNull()
  })

  test('CALL-33 setting/CameraListFilter stores filterCamerasMac per account, for all its browsers', async () => {
    const saved = await neighborhood.call(neighborhood.a, setCameraListFilter, {
      filterCamerasMac: ['door_a', 'nowhere', 'door_a'],
    })
    expect(saved.body.data).toEqual({ filterCamerasMac: ['door_a'] })
    const [mine, theirs] = [
      await neighborhood.call(neighborhood.a, getConfAndSetting),
      await neighborhood.call(neighborhood.b, getConfAndSetting),
    ]
    expect(mine.body.data.setting.CameraListFilter).toEqual({ filterCamerasMac: ['door_a'] })
    expect(theirs.body.data.setting.CameraListFilter).toBeNull()
    await neighborhood.call(neighborhood.a, setCameraListFilter, { filterCamerasMac: [] })
    const after = await neighborhood.call(neighborhood.a, getConfAndSetting)
    expect(after.body.data.setting.CameraListFilter).toEqual({ filterCamerasMac: [] })
  })
})

describe('saved layouts', () => {
  const eveningLayout = { name: 'Evening', mode: 'focus', order: ['door_a'], shown: [] } as const

  test('are stored in order for the account alone', async () => {
    expect((await neighborhood.call(neighborhood.a, getLiveLayouts)).body.data).toEqual({ layouts: [] })
    const layouts = [eveningLayout, { ...eveningLayout, name: 'Night', shown: ['door_a'] }]
    expect((await neighborhood.call(neighborhood.a, setLiveLayouts, { layouts })).body.data).toEqual({ layouts })
    expect((await neighborhood.call(neighborhood.a, getLiveLayouts)).body.data).toEqual({ layouts })
    expect((await neighborhood.call(neighborhood.b, getLiveLayouts)).body.data).toEqual({ layouts: [] })
  })

  test('are rejected with duplicate names, a missing name or too many layouts', async () => {
    const tooMany = Array.from({ length: 13 }, (_, at) => ({ ...eveningLayout, name: `Layout ${at}` }))
    for (const layouts of [[eveningLayout, eveningLayout], tooMany, [{ ...eveningLayout, name: ' ' }]])
      expect((await neighborhood.call(neighborhood.a, setLiveLayouts, { layouts })).body.code).toBe(400)
  })
})

describe('time zone of the home', () => {
  const setZone = async (account: Account, time_zone: string, replace: boolean) =>
    (await neighborhood.call(account, setHomeTimeZone, { time_zone, replace })).body as unknown

  test('OPEN-168 the first one stays until the owner replaces it', async () => {
    const { a, b } = neighborhood
    expect(await setZone(a, 'Europe/Berlin', false)).toEqual({ code: 200, data: { time_zone: 'Europe/Berlin' } })
    expect(await setZone(a, 'Asia/Tokyo', false)).toEqual({ code: 200, data: { time_zone: 'Europe/Berlin' } })
    expect(await setZone(b, 'Asia/Tokyo', false)).toEqual({ code: 200, data: { time_zone: 'Asia/Tokyo' } })
    expect(await setZone(a, 'America/New_York', true)).toEqual({ code: 200, data: { time_zone: 'America/New_York' } })
    expect(await setZone(a, 'Asia/Tokyo', false)).toEqual({ code: 200, data: { time_zone: 'America/New_York' } })
  })

  test('OPEN-168 a zone that does not exist is rejected', async () => {
    expect(await setZone(neighborhood.a, 'Mars/Olympus', true)).toMatchObject({ code: 400 })
  })
})

describe('list for the tier T3 plan', () => {
  const isListed = async (account: Account) => {
    const params = { billing_provider: 'recurring' }
    return (await neighborhood.call(account, getBillingInfo, { kind: 'catalogue' }, params)).body.data
      .t3_list as boolean
  }
  const listAccountIdsAtOperator = async () => {
    const { accounts } = v.parse(
      accountList,
      await callOperator(neighborhood.stage.env, 'GET', ADMIN_PATHS.accounts),
    ).data
    return accounts.filter(({ t3_list }) => t3_list).map(({ user_id }) => user_id)
  }

  test('SESSION-05 OPEN-173 shows a joined account to itself and the operator until it leaves', async () => {
    expect([await isListed(neighborhood.a), await listAccountIdsAtOperator()]).toEqual([false, []])
    for (const _ of [1, 2]) {
      const { body } = await neighborhood.call(neighborhood.a, setT3List, { joined: true })
      expect(body.data).toEqual({ joined: true })
    }
    expect([await isListed(neighborhood.a), await isListed(neighborhood.b)]).toEqual([true, false])
    expect(await listAccountIdsAtOperator()).toEqual([neighborhood.a.userId])
    expect((await neighborhood.call(neighborhood.a, setT3List, { joined: false })).body.data).toEqual({ joined: false })
    expect([await isListed(neighborhood.a), await listAccountIdsAtOperator()]).toEqual([false, []])
  })
})

describe('device models', () => {
  test('CALL-34 get_support_device_with_category returns the categories of a channel', async () => {
    const { body } = await neighborhood.call(neighborhood.a, getSupportedDevices, { channel: 'web' })
    expect(v.is(getSupportedDevices.response, body)).toBe(true)
    expect(body.data[0]).toMatchObject({ category: 'camera', name: 'Cameras' })
    expect((await neighborhood.call(neighborhood.a, getSupportedDevices, { channel: 'fridge' })).body.data).toEqual([])
  })

  test('CALL-35 the platform device list returns groups with name and devices for the requested channels', async () => {
    const { body } = await neighborhood.call(neighborhood.a, getDeviceModels)
    expect(v.is(getDeviceModels.response, body)).toBe(true)
    const models = (group: { devices: { device_model: string }[] }) =>
      group.devices.map((device) => device.device_model)
    expect(body.data.map((group: { name: string }) => group.name)).toEqual(['Cameras'])
    expect(body.data[0].devices).toContainEqual(expect.objectContaining({ device_model: 'PL-DUO-V1', dual: true }))
    const rtsp = await neighborhood.call(neighborhood.a, getDeviceModels, { channel: 'fridge,rtsp' })
    expect(models(rtsp.body.data[0])).toEqual(['PL-RTSP'])
  })
})
