import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { GATEWAY_CALLS } from '../../contract/all-calls.ts'
import { getHomeDevices, getHomes } from '../../contract/cameras/devices.ts'
import { EVENT_SPAN_MAX_MS, getEventList } from '../../contract/events/events.ts'
import type { Call } from '../../contract/wire/call.ts'
import { EVENT_QUERY_COUNT, ORDER_NEWEST_FIRST } from '../../contract/wire/constants.ts'
import { RATE_LIMITS } from '../../contract/wire/edge-rate-limits.ts'
import { CALL_INPUTS } from '../support/home-calls.ts'
import { isSignedIn, LanSystem, sendCall } from '../support/lan-system.ts'
import { scaleTimeout } from '../support/machine.ts'
import { canCreateNamespaces, HUB_ADDRESS } from '../support/network-namespaces.ts'
import type { Visitor } from '../support/visitor.ts'

const OWNER = 'owner@example.org'
const POLL_OPTIONS = { timeout: scaleTimeout(60_000), interval: 500 }

/**
 * Opens connections that never complete a request, half of them in the middle of a TLS handshake. Ends when the hub has
 * closed all.
 */
const STALL_SOURCE = `
import { once } from 'node:events'
import { connect } from 'node:net'
const [host, ...ports] = process.argv.slice(1)
const closed = []
for (let n = 0; n < 400; n++) {
  const socket = connect(Number(ports[n % ports.length]), host).on('error', () => {})
  closed.push(once(socket, 'close'))
  if (n % 2 === 0) socket.write(Buffer.from([22, 3, 1]))
  socket.resume()
}
await Promise.all(closed)
console.log('closed')`

describe.skipIf(!canCreateNamespaces())('a device in the local network', { timeout: scaleTimeout(180_000) }, () => {
  let system: LanSystem
  /** The owner of the home with the camera. */
  let owner: Visitor
  /** The owner of another home. */
  let stranger: Visitor

  beforeAll(async () => {
    system = await LanSystem.open()
    owner = system.createVisitor('hub')
    stranger = system.createVisitor()
    await system.logIn(owner, OWNER)
    await system.logIn(stranger, 'stranger@example.org')
  })
  afterAll(() => system.close())

  const readData = async <T>(call: Call, input: unknown = {}) =>
    ((await (await sendCall(owner, call, input)).json()) as { data: T }).data

  /** Returns the ids of the owner's home, by the names in `CALL_INPUTS`. Waits for an event. */
  async function readOwnerIds(): Promise<Record<string, string>> {
    const { user_id } = (await (await owner.get('/api/auth/me')).json()) as { user_id: string }
    const [home] = await readData<{ home_id: string }[]>(getHomes)
    const home_id = home?.home_id ?? ''
    const query = { device_category: 'camera', env: 'beta', home_id }
    const { device_list } = await readData<{ device_list: { device_id: string }[] }>(getHomeDevices, query)
    const device_id = device_list[0]?.device_id ?? ''
    writeFileSync(join(system.dataFolder, 'visits', device_id), '')
    const end = Date.now() + EVENT_SPAN_MAX_MS / 2
    const listEvents = () =>
      readData<{ event_list: { event_id: string }[] }>(getEventList, {
        begin_time: end - EVENT_SPAN_MAX_MS,
        end_time: end,
        count: EVENT_QUERY_COUNT,
        order_by: ORDER_NEWEST_FIRST,
        device_id_list: [],
        event_tag_list: [],
        event_value_list: [],
      })
    await expect.poll(async () => (await listEvents()).event_list.length, POLL_OPTIONS).toBeGreaterThan(0)
    const [event] = (await listEvents()).event_list
    return { user_a: user_id, home_a: home_id, door_a: device_id, event_a: event?.event_id ?? '' }
  }

  test('gets the same responses for ids of another home as for unknown ids', async () => {
    const ids = await readOwnerIds()
    expect(Object.values(ids)).not.toContain('')
    const replaceIds = <T>(value: T, replace: (name: string) => string): T =>
      JSON.parse(JSON.stringify(value).replace(/(door|home|event|user)_a/g, replace)) as T
    const describeAnswer = async (answer: Response) => [
      answer.status,
      (await answer.text()).replace(/"(url|code|query_id|request_id)":"[^"]*"/g, '').replace(/\d+/g, '#'),
    ]
    const compared: string[] = []
    for (const call of GATEWAY_CALLS) {
      const entry = CALL_INPUTS[call.ledger]
      if (!entry || !JSON.stringify(entry).includes('_a"')) continue
      const { input, params = {} } = entry
      const sendWith = async (replace: (name: string) => string) =>
        describeAnswer(await sendCall(stranger, call, replaceIds(input, replace), replaceIds(params, replace)))
      const foreign = await sendWith((name) => ids[name] ?? name)
      expect([call.ledger, foreign]).toEqual([call.ledger, await sendWith(() => 'unknown_id')])
      for (const id of Object.values(ids)) expect(foreign[1]).not.toContain(id)
      compared.push(call.ledger)
    }
    expect(compared.length).toBeGreaterThan(20)
    expect(await readOwnerIds()).toMatchObject({ home_a: ids['home_a'], door_a: ids['door_a'] })
  })

  test('is blocked after wrong passwords, and the owner can still log in', async () => {
    for (let n = 0; n < 12; n++) await system.logIn(system.createVisitor(), OWNER, 'a wrong password')
    expect(await system.logIn(system.createVisitor(), OWNER)).toBeNull()
    const visitor = system.createVisitor('hub')
    await system.logIn(visitor, OWNER)
    expect(await isSignedIn(visitor)).toBe(true)
  })

  test('cannot block the hub with connections that never complete a request', async () => {
    const ports = [0, 1, 2, 3].map((offset) => String(system.port + offset))
    let isOver = false
    const stalled = system.network.runOnPhone(STALL_SOURCE, HUB_ADDRESS, ...ports).finally(() => (isOver = true))
    let answered = 0
    while (!isOver) {
      expect((await owner.get('/healthz')).status).toBe(200)
      answered += 1
    }
    expect([await stalled, answered > 10]).toEqual(['closed', true])
    expect((await stranger.get('/healthz')).status).toBe(200)
  })

  test('cannot send bodies and headers beyond the limits', async () => {
    const large = await stranger.post('/api/auth/authorize', { state: 'x'.repeat(100_000) })
    expect(large.status).toBe(413)
    const rejected = await stranger.fetch('/live', { headers: { 'x-large': 'x'.repeat(80_000) } })
    expect(rejected.status).toBe(431)
  })

  test('gets 429 beyond its request limit, while other devices are served', async () => {
    const statuses: number[] = []
    const sendHundred = () => Promise.all(Array.from({ length: 100 }, () => stranger.get('/api/auth/me')))
    while (statuses.length < 2 * RATE_LIMITS.REQUESTS && !statuses.includes(429))
      statuses.push(...(await sendHundred()).map(({ status }) => status))
    expect(statuses).toContain(429)
    expect(await isSignedIn(owner)).toBe(true)
  })
})
