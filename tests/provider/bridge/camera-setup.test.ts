import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { forwardSealedRequest, getBridgeSealingKey, readSealedAnswers } from '../../../contract/cameras/camera-setup.ts'
import { getBridges } from '../../../contract/cameras/owner-calls.ts'
import { createHome } from '../../../provider/homes/members/create-home.ts'
import { storeBridge } from '../../../provider/bridge/enroll-bridge.ts'
import { addAccount, openNeighborhood, TestBridge, type Account, type Neighborhood } from '../../support/home.ts'
import type { TestSocket } from '../../support/socket.ts'

const SEALING_KEY = 'k'.repeat(87)
const NONCE = 'n'.repeat(22)
const sealedRequest = { nonce: NONCE, page_key: SEALING_KEY, box: 'c2VhbGVk' }

let neighborhood: Neighborhood
let controlSocket: TestSocket
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  controlSocket = await neighborhood.a.bridge.openControlSocket()
  controlSocket.send({ type: 'hello', version: '9', cameras: [] })
  await controlSocket.receive((message) => message.type === 'welcome')
})
afterAll(async () => {
  await controlSocket.close()
  await neighborhood.close()
})

const openSetup = (account: Account) => neighborhood.call(account, getBridgeSealingKey)
const sendRequest = (account: Account, bridge_id = 'bridge_a', change: object = {}) =>
  neighborhood.call(account, forwardSealedRequest, { bridge_id, sealed: { ...sealedRequest, ...change } })
const readResponses = (account: Account, ask_id: string, after = 0) =>
  neighborhood.call(account, readSealedAnswers, { bridge_id: 'bridge_a', ask_id, after })
async function startRequest(): Promise<string> {
  const { body } = await sendRequest(neighborhood.a)
  await controlSocket.receive((message) => message.type === 'sealed')
  return body.data.ask_id
}
const endRequest = (ask_id: string) => controlSocket.send({ type: 'answer', ask_id, box: 'ZW5k', over: true })
async function createOwner(name: string): Promise<Account> {
  const account = await addAccount(neighborhood.bindings, name)
  await createHome(
    neighborhood.bindings,
    { homeId: `home_${name}`, name, ownerUserId: account.userId, demo: false },
    Date.now(),
  )
  return account
}

describe('home owner', () => {
  test('gets the key of the bridge with a camera, which must be an own one', async () => {
    const second = new TestBridge(neighborhood.stage.env.PROVIDER_ORIGIN, 'bridge_second')
    const entry = { key_hash: second.keyHash, name: 'Attic', homes: ['home_a'] }
    await storeBridge(neighborhood.bindings, second.id, entry, Date.now())
    await second.register('attic_a')
    const openFor = (account: Account, device_id: string) =>
      neighborhood.call(account, getBridgeSealingKey, { device_id })
    expect((await openFor(neighborhood.a, 'attic_a')).body.data).toEqual({ state: 'bridge_off', name: 'Attic' })
    for (const [account, id] of [
      [neighborhood.b, 'attic_a'],
      [neighborhood.a, 'unknown'],
    ] as const)
      expect((await openFor(account, id)).status).toBe(404)
    await neighborhood.bindings.DB.prepare("UPDATE bridges SET revoked_at = 1 WHERE bridge_id = 'bridge_second'").run()
  })

  test('gets the sealing key and nonce from the bridge itself', async () => {
    const pendingSetup = openSetup(neighborhood.a)
    const { ask_id } = await controlSocket.receive((message) => message.type === 'door')
    controlSocket.send({ type: 'door', ask_id, key: SEALING_KEY, nonce: NONCE })
    expect((await pendingSetup).body.data).toEqual({
      state: 'open',
      bridge_id: 'bridge_a',
      home_id: 'home_a',
      name: 'a',
      key: SEALING_KEY,
      nonce: NONCE,
    })
  })

  test('has a sealed request forwarded unchanged with the home, and reads responses as they arrive', async () => {
    const pendingRequest = sendRequest(neighborhood.a)
    const forwarded = await controlSocket.receive((message) => message.type === 'sealed')
    const { ask_id } = (await pendingRequest).body.data
    expect(forwarded).toEqual({ type: 'sealed', ask_id, home_id: 'home_a', sealed: sealedRequest })
    const first = readResponses(neighborhood.a, ask_id)
    controlSocket.send({ type: 'answer', ask_id, box: 'b25l', over: false })
    expect((await first).body.data).toEqual({ boxes: ['b25l'], over: false })
    controlSocket.send({ type: 'answer', ask_id, box: 'dHdv', over: false })
    endRequest(ask_id)
    await controlSocket.ping()
    expect((await readResponses(neighborhood.a, ask_id, 1)).body.data).toEqual({ boxes: ['dHdv', 'ZW5k'], over: true })
    controlSocket.send({ type: 'answer', ask_id, box: 'bGF0ZQ', over: false })
    await controlSocket.ping()
    expect((await readResponses(neighborhood.a, ask_id)).body.data.boxes).toEqual(['b25l', 'dHdv', 'ZW5k'])
  })

  test('learns that the bridge is offline', async () => {
    expect((await openSetup(neighborhood.b)).body.data).toEqual({ state: 'bridge_off', name: 'b' })
    expect((await sendRequest(neighborhood.b, 'bridge_b')).status).toBe(409)
  })
})

describe('rejected requests', () => {
  test('another home’s bridge and another account’s responses return 404', async () => {
    expect((await sendRequest(neighborhood.b)).status).toBe(404)
    const ask_id = await startRequest()
    expect((await readResponses(neighborhood.b, ask_id)).status).toBe(404)
    expect((await readResponses(neighborhood.a, 'nobody_asked')).status).toBe(404)
    endRequest(ask_id)
    await controlSocket.ping()
  })

  test('an account without its own home gets 403', async () => {
    const guest = await addAccount(neighborhood.bindings, 'guest')
    expect([
      (await openSetup(guest)).status,
      (await sendRequest(guest)).status,
      (await readResponses(guest, 'ask')).status,
    ]).toEqual([403, 403, 403])
  })

  test('a sealed request that is too long or malformed, and a repeated call, return 400', async () => {
    for (const change of [{ box: 'A'.repeat(3001) }, { box: 'no box!' }, { nonce: 'short' }, { page_key: 'x' }])
      expect((await sendRequest(neighborhood.a, 'bridge_a', change)).status).toBe(400)
    const [first, again, without] = await neighborhood.replayNonce(neighborhood.a, forwardSealedRequest, {
      bridge_id: 'bridge_a',
      sealed: sealedRequest,
    })
    expect([first?.status, again?.status, without?.status]).toEqual([200, 400, 400])
    endRequest(first?.body.data.ask_id as string)
    await controlSocket.ping()
  })

  test('too many concurrent requests return 429, and endless responses are cut off', async () => {
    const ids: string[] = []
    for (let i = 0; i < 5; i++) ids.push(await startRequest())
    expect((await sendRequest(neighborhood.a)).status).toBe(429)
    const [first = '', ...others] = ids
    for (let i = 0; i < 62; i++) controlSocket.send({ type: 'answer', ask_id: first, box: 'bW9yZQ', over: false })
    for (const id of others) endRequest(id)
    await controlSocket.ping()
    const { boxes, over } = (await readResponses(neighborhood.a, first)).body.data
    expect([boxes.length, over]).toEqual([60, true])
  })

  test('more than forty requests in a minute return 429', async () => {
    const eager = await createOwner('eager')
    const statuses: number[] = []
    for (let i = 0; i < 41; i++) statuses.push((await openSetup(eager)).status)
    expect([statuses.filter((status) => status === 200).length, statuses.at(-1)]).toEqual([40, 429])
  })
})

describe('home without a bridge', () => {
  test('reports no bridge if the local bridge is not enrolled', async () => {
    expect((await openSetup(await createOwner('lonely'))).body.data).toEqual({ state: 'no_bridge' })
  })

  test('gets the local bridge, keeps it across a restart, and leaves other homes unaffected', async () => {
    const enrollment = {
      key_hash: neighborhood.b.bridge.keyHash,
      name: 'This computer',
      machine: true,
      homes: ['home_b'],
    }
    await storeBridge(neighborhood.bindings, 'bridge_b', enrollment, Date.now())
    const socket = await neighborhood.b.bridge.openControlSocket()
    socket.send({ type: 'hello', version: '9', cameras: [] })
    await socket.receive((message) => message.type === 'welcome')
    const newOwner = await createOwner('fresh')
    const pendingSetup = openSetup(newOwner)
    const welcome = await socket.receive((message) => message.type === 'welcome')
    expect(welcome.homes.map((home: { home_id: string }) => home.home_id)).toEqual(['home_b', 'home_fresh'])
    const { ask_id } = await socket.receive((message) => message.type === 'door')
    socket.send({ type: 'door', ask_id, key: SEALING_KEY, nonce: NONCE })
    expect((await pendingSetup).body.data).toMatchObject({
      state: 'open',
      home_id: 'home_fresh',
      name: 'This computer',
    })
    expect((await neighborhood.b.bridge.register('cam_fresh', { home_id: 'home_fresh' })).status).toBe(200)
    await storeBridge(neighborhood.bindings, 'bridge_b', enrollment, Date.now())
    expect(socket.isOpen).toBe(true)
    const listed = (await neighborhood.call(newOwner, getBridges)).body.data.bridges
    expect(listed).toMatchObject([{ bridge_id: 'bridge_b', cameras: [{ device_id: 'cam_fresh' }] }])
    await socket.close()
  })
})

describe('non-local deployment', () => {
  let remote: Neighborhood
  beforeAll(async () => {
    remote = await openNeighborhood({ change: () => ({ PORTAL_ORIGIN: 'https://portal.example' }) })
    await remote.bindings.DB.prepare("UPDATE accounts SET demo = 1 WHERE user_id = 'user_a'").run()
  })
  afterAll(() => remote.close())

  test('a demo account, which is shared by everyone, cannot add a camera', async () => {
    expect((await remote.call(remote.a, getBridgeSealingKey)).body.data).toEqual({ state: 'demo' })
    expect(
      (await remote.call(remote.a, forwardSealedRequest, { bridge_id: 'bridge_a', sealed: sealedRequest })).status,
    ).toBe(403)
  })

  test('a home without a bridge needs a code and does not get the provider’s local bridge', async () => {
    const { bridge } = remote.b
    const enrollment = { key_hash: bridge.keyHash, name: 'This computer', machine: true, homes: ['home_b'] }
    await storeBridge(remote.bindings, bridge.id, enrollment, Date.now())
    const account = await addAccount(remote.bindings, 'remote')
    await createHome(
      remote.bindings,
      { homeId: 'home_remote', name: 'remote', ownerUserId: account.userId, demo: false },
      Date.now(),
    )
    expect((await remote.call(account, getBridgeSealingKey)).body.data).toEqual({ state: 'no_bridge' })
  })
})
