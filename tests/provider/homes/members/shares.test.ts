import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEMO_HOMES } from '../../../../contract/operator/operator-calls.ts'
import { getHomeDevices, getHomes } from '../../../../contract/cameras/devices.ts'
import { eventHistory } from '../../../../contract/events/events.ts'
import { feedTicket } from '../../../../contract/events/feed-and-review-calls.ts'
import { getShares, revokeShare, shareCamera } from '../../../../contract/cameras/owner-calls.ts'
import { getStreams } from '../../../../contract/live/live-calls.ts'
import { listCameraAccess } from '../../../../provider/homes/members/camera-access.ts'
import { storeBridge } from '../../../../provider/bridge/enroll-bridge.ts'
import { openAccount } from '../../../../provider/identity/create-account.ts'
import { addAccount, makeEvent, openNeighborhood, TestBridge, RECENT } from '../../../support/home.ts'
import { openSocket, type Socket } from '../../../support/socket.ts'
import type { Neighborhood } from '../../../support/home.ts'

type Guest = Awaited<ReturnType<typeof addAccount>>
let town: Neighborhood
let guest: Guest
beforeAll(async () => {
  town = await openNeighborhood()
  for (const device of ['door_a', 'yard_a']) await town.a.bridge.register(device)
  await town.b.bridge.register('door_b')
  guest = await addAccount(town.bindings, 'guest')
})
afterAll(() => town.close())

const open = (url: string) => openSocket(url, { origin: town.stage.env.PORTAL_ORIGIN })
const share = (device_id: string, email: string) => town.call(town.a, shareCamera, { device_id, email, role: 2 })
const unshare = (device_id: string, email: string) => town.call(town.a, revokeShare, { device_id, email })
async function openFeed(as: Guest): Promise<Socket> {
  const socket = await open((await town.call(as, feedTicket)).body.data.url)
  await socket.receive((message) => message.type === 'hello')
  return socket
}
const listDeviceIds = (body: { data: { device_list: { device_id: string }[] } }) =>
  body.data.device_list.map((device) => device.device_id)
const listing = { device_category: 'camera', env: 'beta' }
const history = {
  begin_time: RECENT,
  end_time: RECENT,
  count: 10_000,
  device_id_list: [],
  event_tag_list: [],
  event_value_list: [],
  order_by: 2,
}

describe('shared camera', () => {
  test('AUTH-25 is listed, plays and shows its events to an account without a home, and no other camera does', async () => {
    await town.a.bridge.post(makeEvent('door_a', 'at_door'))
    await town.a.bridge.post(makeEvent('yard_a', 'at_yard'))
    expect((await share('door_a', 'Guest@Example.com ')).status).toBe(200)
    expect((await town.call(guest, getHomes)).body.data).toEqual([])
    const { body } = await town.call(guest, getHomeDevices, listing)
    expect(body.data.device_list).toMatchObject([{ device_id: 'door_a', role: 2 }])
    const events = (await town.call(guest, eventHistory, history)).body.data.event_list
    expect(events.map((event: { event_id: string }) => event.event_id)).toEqual(['at_door'])
    const devices = ['door_a', 'yard_a'].map((device_id) => ({ device_id }))
    const { streams } = (await town.call(guest, getStreams, { device_list: devices })).body.data
    const viewer = await open(streams[0].signalling_url)
    expect(streams).toHaveLength(1)
    await viewer.close()
  })

  test('is listed with its guest for the owner, and for no other account', async () => {
    const { shares } = (await town.call(town.a, getShares)).body.data
    expect(shares).toMatchObject([{ device_id: 'door_a', email: 'guest@example.com', role: 2 }])
    expect((await town.call(guest, getShares)).body.data.shares).toEqual([])
  })

  test('notifies its guest of its own events only', async () => {
    const feed = await openFeed(guest)
    await town.a.bridge.post(makeEvent('yard_a', 'private'))
    await town.a.bridge.post(makeEvent('door_a', 'common'))
    expect((await feed.receive((message) => message.type === 'event')).event.event_id).toBe('common')
    await feed.close()
  })

  test('is listed beside the own cameras of a guest with a home, whose one feed reports events of both', async () => {
    const feed = await openFeed(town.b)
    await share('yard_a', 'b@example.com')
    await feed.receive((message) => message.type === 'access')
    const { body } = await town.call(town.b, getHomeDevices, { ...listing, home_id: 'home_b' })
    expect(listDeviceIds(body)).toEqual(['door_b', 'yard_a'])
    await town.a.bridge.post(makeEvent('yard_a', 'passed_on'))
    expect((await feed.receive((message) => message.type === 'event')).event.event_id).toBe('passed_on')
    await unshare('yard_a', 'b@example.com')
    await feed.receive((message) => message.type === 'access')
    await town.a.bridge.post(makeEvent('yard_a', 'not_passed_on'))
    await town.b.bridge.post(makeEvent('door_b', 'own'))
    expect((await feed.receive((message) => message.type === 'event')).event.event_id).toBe('own')
    await feed.close()
  })

  test('ends the live video and the feed when revoked, and can no longer be opened', async () => {
    const feed = await openFeed(guest)
    const requestStreams = () => town.call(guest, getStreams, { device_list: [{ device_id: 'door_a' }] })
    const [viewer, unused] = [
      await open((await requestStreams()).body.data.streams[0].signalling_url),
      await requestStreams(),
    ]
    expect((await unshare('door_a', 'guest@example.com')).status).toBe(200)
    expect(await viewer.closed).toBe(4403)
    await feed.receive((message) => message.type === 'access')
    expect(await feed.closed).toBe(4403)
    await expect(open(unused.body.data.streams[0].signalling_url)).rejects.toThrow('403')
    expect((await requestStreams()).status).toBe(404)
    expect((await unshare('door_a', 'guest@example.com')).status).toBe(404)
  })

  test('of a home that sorts first sends events to the feed that its guest has open', async () => {
    await town.call(town.b, shareCamera, { device_id: 'door_b', email: 'guest@example.com', role: 2 })
    const feed = await openFeed(guest)
    await share('door_a', 'guest@example.com')
    await feed.receive((message) => message.type === 'access')
    await town.a.bridge.post(makeEvent('door_a', 'of_another_home'))
    expect((await feed.receive((message) => message.type === 'event')).event.event_id).toBe('of_another_home')
    await feed.close()
  })

  test('cannot be shared with the owner of the home, who already sees it', async () => {
    expect((await share('door_a', 'a@example.com')).status).toBe(400)
  })
})

describe('share with an email address without an account', () => {
  const listed = async () => {
    const { shares } = (await town.call(town.a, getShares)).body.data as { shares: { email: string }[] }
    return shares.filter(({ email }) => /^(early|known)@/.test(email))
  }

  test('is returned, listed and revoked like any other share', async () => {
    await addAccount(town.bindings, 'known')
    const [existing, unknown] = [
      await share('yard_a', 'known@example.com'),
      await share('yard_a', ' Early@Example.com'),
    ]
    expect(unknown).toEqual(existing)
    const at = { created_at: expect.any(Number) as number }
    expect(await listed()).toEqual(
      ['known', 'early'].map((name) => ({ device_id: 'yard_a', email: `${name}@example.com`, role: 2, ...at })),
    )
    const ends = [await unshare('yard_a', 'known@example.com'), await unshare('yard_a', 'early@example.com')]
    expect(ends[1]).toEqual(ends[0])
    expect(await listed()).toEqual([])
    expect((await unshare('yard_a', 'early@example.com')).status).toBe(404)
  })

  test('waits for the account: a new account sees the camera immediately, but no revoked one', async () => {
    await share('yard_a', 'early@example.com')
    await share('door_a', 'early@example.com')
    await unshare('door_a', 'early@example.com')
    const account = { email: 'Early@example.com', password: 'a good password', first: false }
    const userId = (await openAccount(town.bindings, account, Date.now())) ?? ''
    expect(await listed()).toMatchObject([{ device_id: 'yard_a', email: 'early@example.com' }])
    expect(await listCameraAccess(town.bindings, userId, ['yard_a', 'door_a'])).toMatchObject([
      { device_id: 'yard_a', role: 2 },
    ])
    const { results } = await town.bindings.DB.prepare('SELECT * FROM invitations').all()
    expect(results).toEqual([])
  })

  test('has no pending invitation once the account exists, and ends its access when revoked', async () => {
    await share('yard_a', 'late@example.com')
    const { userId } = await addAccount(town.bindings, 'late')
    await share('yard_a', 'late@example.com')
    const invited = "SELECT count(*) AS n FROM invitations WHERE email = 'late@example.com'"
    expect(await town.bindings.DB.prepare(invited).first('n')).toBe(0)
    expect((await unshare('yard_a', 'late@example.com')).status).toBe(200)
    expect(await listCameraAccess(town.bindings, userId, ['yard_a'])).toEqual([])
  })
})

test('the demo account without a home sees the owner’s first two cameras until the owner revokes the shares', async () => {
  await town.stage.seed()
  const demo = new TestBridge(town.stage.env.PROVIDER_ORIGIN, 'bridge_demo')
  await storeBridge(
    town.bindings,
    demo.id,
    { key_hash: demo.keyHash, name: 'Demo', homes: [DEMO_HOMES.owner] },
    Date.now(),
  )
  for (const device_order of [2, 1, 0]) await demo.register(`demo_${device_order}`, { device_order })
  const { results } = await town.bindings.DB.prepare(
    'SELECT device_id FROM shares WHERE home_id = ? ORDER BY device_id',
  )
    .bind(DEMO_HOMES.owner)
    .all<{ device_id: string }>()
  expect(results.map((row) => row.device_id)).toEqual(['demo_0', 'demo_1'])
  await town.bindings.DB.prepare('DELETE FROM shares').run()
  await town.stage.seed()
  await demo.register('demo_0', { device_order: 0 })
  expect(await town.bindings.DB.prepare('SELECT count(*) AS n FROM shares').first('n')).toBe(0)
})
