import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEMO_HOMES } from '../../../../contract/operator/operator-calls.ts'
import { getHomeDevices, getHomes } from '../../../../contract/cameras/devices.ts'
import { eventHistory } from '../../../../contract/events/events.ts'
import { feedTicket } from '../../../../contract/events/feed-and-review-calls.ts'
import { getShares, revokeShare, shareCamera } from '../../../../contract/cameras/owner-calls.ts'
import { getStreams } from '../../../../contract/live/live-calls.ts'
import { readAccountAccess } from '../../../../provider/homes/members/account-access.ts'
import { listCameraAccess } from '../../../../provider/homes/members/camera-access.ts'
import { storeBridge } from '../../../../provider/bridge/enroll-bridge.ts'
import { createAccount } from '../../../../provider/identity/create-account.ts'
import { eventsRequest } from '../../../../src/early/requests/events.ts'
import { addAccount, createBridgeEvent, openNeighborhood, TestBridge, RECENT_TIME_MS } from '../../../support/home.ts'
import { openSocket, type TestSocket } from '../../../support/socket.ts'
import type { Neighborhood } from '../../../support/home.ts'

type Guest = Awaited<ReturnType<typeof addAccount>>
let neighborhood: Neighborhood
let guest: Guest
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  for (const device of ['door_a', 'yard_a']) await neighborhood.a.bridge.register(device)
  await neighborhood.b.bridge.register('door_b')
  guest = await addAccount(neighborhood.bindings, 'guest')
})
afterAll(() => neighborhood.close())

const openPortalSocket = (url: string) => openSocket(url, { origin: neighborhood.stage.env.PORTAL_ORIGIN })
const share = (device_id: string, email: string) =>
  neighborhood.call(neighborhood.a, shareCamera, { device_id, email, role: 2 })
const unshare = (device_id: string, email: string) =>
  neighborhood.call(neighborhood.a, revokeShare, { device_id, email })
async function openFeed(account: Guest): Promise<TestSocket> {
  const socket = await openPortalSocket((await neighborhood.call(account, feedTicket)).body.data.url)
  await socket.receive((message) => message.type === 'hello')
  return socket
}
const listDeviceIds = (body: { data: { device_list: { device_id: string }[] } }) =>
  body.data.device_list.map((device) => device.device_id)
const deviceQuery = { device_category: 'camera', env: 'beta' }
const eventQuery = eventsRequest({ begin: RECENT_TIME_MS, end: RECENT_TIME_MS }, false).input

describe('shared camera', () => {
  test('AUTH-25 is listed, plays and shows its events to an account without a home, and no other camera does', async () => {
    await neighborhood.a.bridge.postEvent(createBridgeEvent('door_a', 'at_door'))
    await neighborhood.a.bridge.postEvent(createBridgeEvent('yard_a', 'at_yard'))
    expect((await share('door_a', 'Guest@Example.com ')).status).toBe(200)
    expect((await neighborhood.call(guest, getHomes)).body.data).toEqual([])
    const { body } = await neighborhood.call(guest, getHomeDevices, deviceQuery)
    expect(body.data.device_list).toMatchObject([{ device_id: 'door_a', role: 2 }])
    const events = (await neighborhood.call(guest, eventHistory, eventQuery)).body.data.event_list
    expect(events.map((event: { event_id: string }) => event.event_id)).toEqual(['at_door'])
    const devices = ['door_a', 'yard_a'].map((device_id) => ({ device_id }))
    const { streams } = (await neighborhood.call(guest, getStreams, { device_list: devices })).body.data
    const viewer = await openPortalSocket(streams[0].signalling_url)
    expect(streams).toHaveLength(1)
    await viewer.close()
  })

  test('is listed with its guest for the owner, and for no other account', async () => {
    const { shares } = (await neighborhood.call(neighborhood.a, getShares)).body.data
    expect(shares).toMatchObject([{ device_id: 'door_a', email: 'guest@example.com', role: 2 }])
    expect((await neighborhood.call(guest, getShares)).body.data.shares).toEqual([])
  })

  test('notifies its guest of its own events only', async () => {
    const feed = await openFeed(guest)
    await neighborhood.a.bridge.postEvent(createBridgeEvent('yard_a', 'private'))
    await neighborhood.a.bridge.postEvent(createBridgeEvent('door_a', 'common'))
    expect((await feed.receive((message) => message.type === 'event')).event.event_id).toBe('common')
    await feed.close()
  })

  test('is listed beside the own cameras of a guest with a home, whose one feed reports events of both', async () => {
    const feed = await openFeed(neighborhood.b)
    await share('yard_a', 'b@example.com')
    await feed.receive((message) => message.type === 'access')
    const { body } = await neighborhood.call(neighborhood.b, getHomeDevices, { ...deviceQuery, home_id: 'home_b' })
    expect(listDeviceIds(body)).toEqual(['door_b', 'yard_a'])
    await neighborhood.a.bridge.postEvent(createBridgeEvent('yard_a', 'passed_on'))
    expect((await feed.receive((message) => message.type === 'event')).event.event_id).toBe('passed_on')
    await unshare('yard_a', 'b@example.com')
    await feed.receive((message) => message.type === 'access')
    await neighborhood.a.bridge.postEvent(createBridgeEvent('yard_a', 'not_passed_on'))
    await neighborhood.b.bridge.postEvent(createBridgeEvent('door_b', 'own'))
    expect((await feed.receive((message) => message.type === 'event')).event.event_id).toBe('own')
    await feed.close()
  })

  test('ends the live video and the feed when revoked, and can no longer be opened', async () => {
    const feed = await openFeed(guest)
    const requestStreams = () => neighborhood.call(guest, getStreams, { device_list: [{ device_id: 'door_a' }] })
    const [viewer, unused] = [
      await openPortalSocket((await requestStreams()).body.data.streams[0].signalling_url),
      await requestStreams(),
    ]
    expect((await unshare('door_a', 'guest@example.com')).status).toBe(200)
    expect(await viewer.closeCode).toBe(4403)
    await feed.receive((message) => message.type === 'access')
    expect(await feed.closeCode).toBe(4403)
    await expect(openPortalSocket(unused.body.data.streams[0].signalling_url)).rejects.toThrow('403')
    expect((await requestStreams()).status).toBe(404)
    expect((await unshare('door_a', 'guest@example.com')).status).toBe(404)
  })

  test('of a home that sorts first sends events to the feed that its guest has open', async () => {
    await neighborhood.call(neighborhood.b, shareCamera, { device_id: 'door_b', email: 'guest@example.com', role: 2 })
    const feed = await openFeed(guest)
    await share('door_a', 'guest@example.com')
    await feed.receive((message) => message.type === 'access')
    await neighborhood.a.bridge.postEvent(createBridgeEvent('door_a', 'of_another_home'))
    expect((await feed.receive((message) => message.type === 'event')).event.event_id).toBe('of_another_home')
    await feed.close()
  })

  test('cannot be shared with the owner of the home, who already sees it', async () => {
    expect((await share('door_a', 'a@example.com')).status).toBe(400)
  })
})

describe('share with an email address without an account', () => {
  const listTestShares = async () => {
    const { shares } = (await neighborhood.call(neighborhood.a, getShares)).body.data as { shares: { email: string }[] }
    return shares.filter(({ email }) => /^(early|known)@/.test(email))
  }

  test('is returned, listed and revoked like any other share', async () => {
    await addAccount(neighborhood.bindings, 'known')
    const [existing, unknown] = [
      await share('yard_a', 'known@example.com'),
      await share('yard_a', ' Early@Example.com'),
    ]
    expect(unknown).toEqual(existing)
    const createdAt = { created_at: expect.any(Number) as number }
    expect(await listTestShares()).toEqual(
      ['known', 'early'].map((name) => ({ device_id: 'yard_a', email: `${name}@example.com`, role: 2, ...createdAt })),
    )
    const revocations = [await unshare('yard_a', 'known@example.com'), await unshare('yard_a', 'early@example.com')]
    expect(revocations[1]).toEqual(revocations[0])
    expect(await listTestShares()).toEqual([])
    expect((await unshare('yard_a', 'early@example.com')).status).toBe(404)
  })

  test('waits for the account: a new account sees the camera immediately, but no revoked one', async () => {
    await share('yard_a', 'early@example.com')
    await share('door_a', 'early@example.com')
    await unshare('door_a', 'early@example.com')
    const account = { email: 'Early@example.com', passwordHash: 'a hash', first: false }
    const userId = (await createAccount(neighborhood.bindings, account, Date.now())) ?? ''
    expect(await listTestShares()).toMatchObject([{ device_id: 'yard_a', email: 'early@example.com' }])
    expect(
      listCameraAccess(await readAccountAccess(neighborhood.bindings, userId), ['yard_a', 'door_a']),
    ).toMatchObject([{ device_id: 'yard_a', role: 2 }])
    const { results } = await neighborhood.bindings.DB.prepare('SELECT * FROM invitations').all()
    expect(results).toEqual([])
  })

  test('has no pending invitation once the account exists, and ends its access when revoked', async () => {
    await share('yard_a', 'late@example.com')
    const { userId } = await addAccount(neighborhood.bindings, 'late')
    await share('yard_a', 'late@example.com')
    const invitationCount = "SELECT count(*) AS n FROM invitations WHERE email = 'late@example.com'"
    expect(await neighborhood.bindings.DB.prepare(invitationCount).first('n')).toBe(0)
    expect((await unshare('yard_a', 'late@example.com')).status).toBe(200)
    expect(listCameraAccess(await readAccountAccess(neighborhood.bindings, userId), ['yard_a'])).toEqual([])
  })
})

describe('a share of all cameras', () => {
  const shareAll = (account: Guest, email: string) =>
    neighborhood.call(account, shareCamera, { device_id: 'door_a', email, role: 2, all_cameras: true })
  const listAccess = async ({ userId }: Guest) =>
    listCameraAccess(await readAccountAccess(neighborhood.bindings, userId), [
      'door_a',
      'yard_a',
      'door_b',
      'later_a',
    ]).map(({ device_id }) => device_id)
  const listMessages = async ({ userId }: Guest) => {
    const query = neighborhood.bindings.DB.prepare('SELECT kind, facts FROM messages WHERE user_id = ?').bind(userId)
    return (await query.all<{ kind: string; facts: string }>()).results.map(({ kind, facts }) => ({
      kind,
      facts: JSON.parse(facts) as unknown,
    }))
  }

  test('covers the home of the camera once, with one notification, and no camera that is added later', async () => {
    const family = await addAccount(neighborhood.bindings, 'family')
    await share('yard_a', 'family@example.com')
    await neighborhood.bindings.DB.prepare('DELETE FROM messages WHERE user_id = ?').bind(family.userId).run()
    for (let time = 0; time < 2; time += 1)
      expect((await shareAll(neighborhood.a, 'Family@example.com')).body).toMatchObject({ code: 200, data: {} })
    await neighborhood.a.bridge.register('later_a')
    expect((await listAccess(family)).sort()).toEqual(['door_a', 'yard_a'])
    const facts = { camera: expect.any(String) as string, others: [expect.any(String)], owner: 'a@example.com' }
    expect(await listMessages(family)).toMatchObject([{ kind: 'shared_camera', facts }])
    await unshare('door_a', 'family@example.com')
    expect(await listAccess(family)).toEqual(['yard_a'])
  })

  test('requires the owner, and an address that sees no camera yet', async () => {
    await share('door_a', 'guest@example.com')
    expect((await shareAll(guest, 'b@example.com')).status).toBe(403)
    expect((await shareAll(neighborhood.b, 'guest@example.com')).status).toBe(404)
    expect((await shareAll(neighborhood.a, 'a@example.com')).status).toBe(400)
  })

  test('counts once for the limit of the owner', async () => {
    await addAccount(neighborhood.bindings, 'neighbor')
    const countLeft = () => neighborhood.bindings.GUARDS.getByName('user_a').countAttemptsLeft('share', 30, Date.now())
    const before = await countLeft()
    expect((await shareAll(neighborhood.a, 'neighbor@example.com')).status).toBe(200)
    expect(before - (await countLeft())).toBe(1)
  })
})

test('the demo account without a home sees the owner’s first two cameras until the owner revokes the shares', async () => {
  await neighborhood.stage.seed()
  const demoBridge = new TestBridge(neighborhood.stage.env.PROVIDER_ORIGIN, 'bridge_demo')
  await storeBridge(
    neighborhood.bindings,
    demoBridge.id,
    { key_hash: demoBridge.keyHash, name: 'Demo', homes: [DEMO_HOMES.owner] },
    Date.now(),
  )
  for (const device_order of [2, 1, 0]) await demoBridge.register(`demo_${device_order}`, { device_order })
  const { results } = await neighborhood.bindings.DB.prepare(
    'SELECT device_id FROM shares WHERE home_id = ? ORDER BY device_id',
  )
    .bind(DEMO_HOMES.owner)
    .all<{ device_id: string }>()
  expect(results.map((row) => row.device_id)).toEqual(['demo_0', 'demo_1'])
  await neighborhood.bindings.DB.prepare('DELETE FROM shares').run()
  await neighborhood.stage.seed()
  await demoBridge.register('demo_0', { device_order: 0 })
  expect(await neighborhood.bindings.DB.prepare('SELECT count(*) AS n FROM shares').first('n')).toBe(0)
})
