import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BRIDGE_PATHS } from '../../contract/bridge.ts'
import { type Call } from '../../contract/call.ts'
import { GATEWAY_CALLS } from '../../contract/calls.ts'
import { EVENT_QUERY_COUNT, ORDER_NEWEST_FIRST } from '../../contract/constants.ts'
import { CAMERA, makeEvent, openNeighbourhood, type Neighbourhood } from '../support/home.ts'

let town: Neighbourhood
beforeAll(async () => {
  town = await openNeighbourhood()
  await town.a.bridge.register('door_a')
  await town.b.bridge.register('door_b')
  const clip_object = await town.a.bridge.upload('door_a', 'clip', 'event_a', Buffer.from('clip'))
  const resource = { begin_time: 1, end_time: 9, resource_version: 1, resource_type: 's3' as const }
  await town.a.bridge.post(makeEvent('door_a', 'event_a', { event_ts: 1, clip_object, event_resources: [resource] }))
})
afterAll(() => town.close())

const query = {
  begin_time: 0,
  end_time: 8_000_000_000_000,
  count: EVENT_QUERY_COUNT,
  device_id_list: ['door_a'],
  event_tag_list: [],
  event_value_list: [],
  order_by: ORDER_NEWEST_FIRST,
}
const replay = {
  device_id: 'door_a',
  product_model: 'PL-1',
  start_time: '1',
  end_time: '9',
  resource_version: '1',
  resource_type: 's3',
  is_live: 'false',
}

/** Per call the input by which household a asks for its own things; null: the call names nobody's. */
const INPUTS: Record<string, { input: Record<string, unknown>; params?: Record<string, string> } | null> = {
  'CALL-08': { input: {}, params: { uuid: 'user_a' } },
  'CALL-24': { input: { event_id: 'event_a', device_id: 'door_a' } },
  'CALL-26': { input: replay },
  'CALL-27': null,
  'CALL-28': { input: { device_category: 'camera', env: 'beta', home_id: 'home_a' } },
  'CALL-30': { input: { device_list: [{ device_id: 'door_a' }] } },
  'CALL-36': null,
  'CALL-37': { input: query },
  'CALL-38': { input: query },
  'EXT-feed-ticket': null,
  'EXT-review': { input: { event_ids: ['event_a'] } },
}

const named = GATEWAY_CALLS.map((call): [string, Call] => [`${call.method} ${call.path}`, call])

describe('ownership', () => {
  test.each(named)('of what %s names is checked', async (_name, call) => {
    const known = INPUTS[call.ledger]
    if (known === undefined) throw new Error(`Say in this test by which ids ${call.ledger} asks.`)
    const { input, params } = known ?? { input: {} }
    const [mine, theirs] = [await town.call(town.a, call, input, params), await town.call(town.b, call, input, params)]
    expect([mine.status, mine.body.code]).toEqual([200, call.success])
    expect(known === null ? [200] : [403, 404]).toContain(theirs.status)
    expect(JSON.stringify(theirs.body)).not.toMatch(/door_a|event_a|home_a|user_a|Home of a/)
  })

  test.each(named)('of a call without a valid token is nobody’s: %s', async (_name, call) => {
    const { input, params } = INPUTS[call.ledger] ?? { input: {} }
    const { status, body } = await town.call({ ...town.a, token: 'x'.repeat(43) }, call, input, params)
    expect([status, body.code, body.data]).toEqual([401, 401, undefined])
  })
})

const NASTY = [null, '', -1, 1e21, true, [], {}, [null], '../../etc', "' OR 1=1 --", '\u0000', 'x'.repeat(5000)]

describe('malformed input', () => {
  test.each(named)(
    'CALL-72 to %s is answered with a code, never by a failure of the server',
    async (_name, call) => {
      const { input, params } = INPUTS[call.ledger] ?? { input: {} }
      for (const field of [...Object.keys(input), 'nonce', 'user_id']) {
        for (const value of NASTY) {
          const { status, body } = await town.call(town.a, call, { ...input, [field]: value }, params)
          expect([field, value, status < 500, body.code !== undefined]).toEqual([field, value, true, true])
        }
      }
    },
    60_000,
  )

  const camera = { ...CAMERA, home_id: 'home_a', firmware_version: '1' }
  const object = { kind: 'clip', name: 'x', type: 'video/mp4', length: 1 }
  const event = makeEvent('door_a', 'fuzz')
  test.each<[string, string, object, (one: object) => object]>([
    ['PUT', `${BRIDGE_PATHS.cameras}/door_a`, camera, (one) => one],
    ['POST', BRIDGE_PATHS.uploads, object, (one) => ({ device_id: 'door_a', objects: [one] })],
    ['POST', BRIDGE_PATHS.events, event, (one) => ({ event: one })],
    ['POST', BRIDGE_PATHS.history, event, (one) => ({ device_id: 'door_a', events: [one] })],
  ])(
    'of a bridge to %s %s never is one either',
    async (method, path, input, wrap) => {
      for (const field of Object.keys(input)) {
        for (const value of NASTY) {
          const { status } = await town.a.bridge.send(method, path, wrap({ ...input, [field]: value }))
          expect([field, value, status < 500]).toEqual([field, value, true])
        }
      }
    },
    60_000,
  )
})
