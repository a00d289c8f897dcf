import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askBridge, openCameraDoor, readAnswers } from '../../../contract/cameras/camera-setup.ts'
import { getBridges } from '../../../contract/cameras/owner-calls.ts'
import { createHome } from '../../../provider/homes/members/create-home.ts'
import { storeBridge } from '../../../provider/bridge/enroll-bridge.ts'
import { addAccount, openNeighborhood, type Account, type Neighborhood } from '../../support/home.ts'
import type { Socket } from '../../support/socket.ts'

const KEY = 'k'.repeat(87)
const NONCE = 'n'.repeat(22)
const sealed = { nonce: NONCE, page_key: KEY, box: 'c2VhbGVk' }

let town: Neighborhood
let control: Socket
beforeAll(async () => {
  town = await openNeighborhood()
  control = await town.a.bridge.control()
  control.send({ type: 'hello', version: '9', cameras: [] })
  await control.receive((message) => message.type === 'welcome')
})
afterAll(async () => {
  await control.close()
  await town.close()
})

const door = (as: Account) => town.call(as, openCameraDoor)
const sendRequest = (as: Account, bridge_id = 'bridge_a', change: object = {}) =>
  town.call(as, askBridge, { bridge_id, sealed: { ...sealed, ...change } })
const read = (as: Account, ask_id: string, after = 0) =>
  town.call(as, readAnswers, { bridge_id: 'bridge_a', ask_id, after })
async function startRequest(): Promise<string> {
  const { body } = await sendRequest(town.a)
  await control.receive((message) => message.type === 'sealed')
  return body.data.ask_id
}
const end = (ask_id: string) => control.send({ type: 'answer', ask_id, box: 'ZW5k', over: true })
async function newcomer(name: string): Promise<Account> {
  const account = await addAccount(town.bindings, name)
  await createHome(
    town.bindings,
    { homeId: `home_${name}`, name, ownerUserId: account.userId, demo: false },
    Date.now(),
  )
  return account
}

describe('home owner', () => {
  test('gets the sealing key and nonce from the bridge itself', async () => {
    const opening = door(town.a)
    const { ask_id } = await control.receive((message) => message.type === 'door')
    control.send({ type: 'door', ask_id, key: KEY, nonce: NONCE })
    expect((await opening).body.data).toEqual({
      ...{ state: 'open', bridge_id: 'bridge_a', home_id: 'home_a', name: 'a', key: KEY, nonce: NONCE },
    })
  })

  test('has a sealed request forwarded unchanged with the home, and reads responses as they arrive', async () => {
    const asking = sendRequest(town.a)
    const passed = await control.receive((message) => message.type === 'sealed')
    const { ask_id } = (await asking).body.data
    expect(passed).toEqual({ type: 'sealed', ask_id, home_id: 'home_a', sealed })
    const first = read(town.a, ask_id)
    control.send({ type: 'answer', ask_id, box: 'b25l', over: false })
    expect((await first).body.data).toEqual({ boxes: ['b25l'], over: false })
    control.send({ type: 'answer', ask_id, box: 'dHdv', over: false })
    end(ask_id)
    await control.ping()
    expect((await read(town.a, ask_id, 1)).body.data).toEqual({ boxes: ['dHdv', 'ZW5k'], over: true })
    control.send({ type: 'answer', ask_id, box: 'bGF0ZQ', over: false })
    await control.ping()
    expect((await read(town.a, ask_id)).body.data.boxes).toEqual(['b25l', 'dHdv', 'ZW5k'])
  })

  test('learns that the bridge is offline', async () => {
    expect((await door(town.b)).body.data).toEqual({ state: 'bridge_off', name: 'b' })
    expect((await sendRequest(town.b, 'bridge_b')).status).toBe(409)
  })
})

describe('rejected requests', () => {
  test('another home’s bridge and another account’s responses return 404', async () => {
    expect((await sendRequest(town.b)).status).toBe(404)
    const ask_id = await startRequest()
    expect((await read(town.b, ask_id)).status).toBe(404)
    expect((await read(town.a, 'nobody_asked')).status).toBe(404)
    end(ask_id)
    await control.ping()
  })

  test('an account without its own home gets 403', async () => {
    const guest = await addAccount(town.bindings, 'guest')
    expect([(await door(guest)).status, (await sendRequest(guest)).status, (await read(guest, 'ask')).status]).toEqual([
      403, 403, 403,
    ])
  })

  test('a sealed request that is too long or malformed, and a repeated call, return 400', async () => {
    for (const change of [{ box: 'A'.repeat(3001) }, { box: 'no box!' }, { nonce: 'short' }, { page_key: 'x' }])
      expect((await sendRequest(town.a, 'bridge_a', change)).status).toBe(400)
    const [first, again, without] = await town.repeat(town.a, askBridge, { bridge_id: 'bridge_a', sealed })
    expect([first?.status, again?.status, without?.status]).toEqual([200, 400, 400])
    end(first?.body.data.ask_id as string)
    await control.ping()
  })

  test('too many concurrent requests return 429, and endless responses are cut off', async () => {
    const ids: string[] = []
    for (let i = 0; i < 5; i++) ids.push(await startRequest())
    expect((await sendRequest(town.a)).status).toBe(429)
    const [first = '', ...others] = ids
    for (let i = 0; i < 62; i++) control.send({ type: 'answer', ask_id: first, box: 'bW9yZQ', over: false })
    for (const id of others) end(id)
    await control.ping()
    const { boxes, over } = (await read(town.a, first)).body.data
    expect([boxes.length, over]).toEqual([60, true])
  })

  test('more than forty requests in a minute return 429', async () => {
    const eager = await newcomer('eager')
    const statuses: number[] = []
    for (let i = 0; i < 41; i++) statuses.push((await door(eager)).status)
    expect([statuses.filter((status) => status === 200).length, statuses.at(-1)]).toEqual([40, 429])
  })
})

describe('home without a bridge', () => {
  test('reports no bridge if the local bridge is not enrolled', async () => {
    expect((await door(await newcomer('lonely'))).body.data).toEqual({ state: 'no_bridge' })
  })

  test('gets the local bridge, keeps it across a restart, and leaves other homes unaffected', async () => {
    const enrollment = { key_hash: town.b.bridge.keyHash, name: 'This computer', machine: true, homes: ['home_b'] }
    await storeBridge(town.bindings, 'bridge_b', enrollment, Date.now())
    const socket = await town.b.bridge.control()
    socket.send({ type: 'hello', version: '9', cameras: [] })
    await socket.receive((message) => message.type === 'welcome')
    const newcomers = await newcomer('fresh')
    const opening = door(newcomers)
    const welcome = await socket.receive((message) => message.type === 'welcome')
    expect(welcome.homes.map((home: { home_id: string }) => home.home_id)).toEqual(['home_b', 'home_fresh'])
    const { ask_id } = await socket.receive((message) => message.type === 'door')
    socket.send({ type: 'door', ask_id, key: KEY, nonce: NONCE })
    expect((await opening).body.data).toMatchObject({ state: 'open', home_id: 'home_fresh', name: 'This computer' })
    expect((await town.b.bridge.register('cam_fresh', { home_id: 'home_fresh' })).status).toBe(200)
    await storeBridge(town.bindings, 'bridge_b', enrollment, Date.now())
    expect(socket.isOpen).toBe(true)
    const listed = (await town.call(newcomers, getBridges)).body.data.bridges
    expect(listed).toMatchObject([{ bridge_id: 'bridge_b', cameras: [{ device_id: 'cam_fresh' }] }])
    await socket.close()
  })
})

describe('non-local deployment', () => {
  let far: Neighborhood
  beforeAll(async () => {
    far = await openNeighborhood({ change: () => ({ PORTAL_ORIGIN: 'https://portal.example' }) })
    await far.bindings.DB.prepare("UPDATE accounts SET demo = 1 WHERE user_id = 'user_a'").run()
  })
  afterAll(() => far.close())

  test('a demo account, which is shared by everyone, cannot add a camera', async () => {
    expect((await far.call(far.a, openCameraDoor)).body.data).toEqual({ state: 'demo' })
    expect((await far.call(far.a, askBridge, { bridge_id: 'bridge_a', sealed })).status).toBe(403)
  })

  test('a home without a bridge needs a code and does not get the provider’s local bridge', async () => {
    const { bridge } = far.b
    const enrollment = { key_hash: bridge.keyHash, name: 'This computer', machine: true, homes: ['home_b'] }
    await storeBridge(far.bindings, bridge.id, enrollment, Date.now())
    const account = await addAccount(far.bindings, 'remote')
    await createHome(
      far.bindings,
      { homeId: 'home_remote', name: 'remote', ownerUserId: account.userId, demo: false },
      Date.now(),
    )
    expect((await far.call(account, openCameraDoor)).body.data).toEqual({ state: 'no_bridge' })
  })
})
