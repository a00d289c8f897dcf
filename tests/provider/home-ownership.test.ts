import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BRIDGE_PATHS, DEFAULT_CAMERA_SETTINGS } from '../../contract/bridge.ts'
import { type Call } from '../../contract/call.ts'
import { GATEWAY_CALLS } from '../../contract/calls.ts'
import { EVENT_SPAN_MAX_MS } from '../../contract/events.ts'
import { deleteEvents } from '../../contract/timeline.ts'
import { shareCamera } from '../../contract/owner.ts'
import { EVENT_QUERY_COUNT, ORDER_NEWEST_FIRST, SEARCH_LIMIT } from '../../contract/constants.ts'
import { onboardingRegister, search, searchFeedback } from '../../contract/search.ts'
import { putBridge } from '../../provider/bridge/enrol.ts'
import { addAccount, CAMERA, makeEvent, openNeighbourhood, type Neighbourhood, RECENT } from '../support/home.ts'
import { type Socket } from '../support/socket.ts'

let town: Neighbourhood
let control: Socket
let guest: Awaited<ReturnType<typeof addAccount>>
beforeAll(async () => {
  town = await openNeighbourhood()
  await town.a.bridge.register('door_a', { dual: true })
  await town.a.bridge.register('gone_a')
  guest = await addAccount(town.bindings, 'guest')
  await putBridge(town.bindings, 'spare_a', { key_hash: '0'.repeat(64), name: 'Spare', homes: ['home_a'] }, Date.now())
  await town.call(town.a, shareCamera, { device_id: 'door_a', email: 'guest@example.com', role: 2 })
  control = await town.a.bridge.control()
  void answerTrials()
  await town.b.bridge.register('door_b')
  const clip_object = await town.a.bridge.upload('door_a', 'clip', 'event_a', Buffer.from('clip'))
  const resource = { begin_time: RECENT, end_time: RECENT + 9, resource_version: 1, resource_type: 's3' as const }
  await town.a.bridge.post(
    makeEvent('door_a', 'event_a', { event_ts: RECENT, clip_object, event_resources: [resource] }),
  )
  for (const id of ['spare_event_a', 'deleted_event_a']) await town.a.bridge.post(makeEvent('door_a', id))
  await town.call(town.a, deleteEvents, { event_ids: ['deleted_event_a'] })
  await makeSearches()
})
afterAll(async () => {
  await control.close()
  await town.close()
})

/** Both are enrolled; household a has made searches and said something of one. */
async function makeSearches(): Promise<void> {
  for (const as of [town.a, town.b]) await town.call(as, onboardingRegister)
  const ids: string[] = []
  for (const words of ['one', 'two', 'three', 'four'])
    ids.push((await town.call(town.a, search, { ...searched, query: words })).body.data.query_id)
  const { feedback_id } = (await town.call(town.a, searchFeedback, { ...judged, query: 'four' })).body.data
  INPUTS['CALL-48'] = { input: { query_ids: [ids[0]], delete_all: false }, nobodys: true }
  INPUTS['CALL-49'] = { input: {}, params: { query_id: ids[1] ?? '' } }
  INPUTS['EXT-search-feedback-undo'] = { input: { feedback_id } }
}

/** As a bridge does that has watched nothing. */
async function answerTrials(): Promise<never> {
  const trial = { since: null, watched_ms: 0, events: [] }
  for (;;) {
    const { trial_id } = await control.take((message) => message.type === 'try_motion')
    control.send({ type: 'trial', trial_id, trial })
  }
}

const query = {
  begin_time: 0,
  end_time: EVENT_SPAN_MAX_MS,
  count: EVENT_QUERY_COUNT,
  device_id_list: ['door_a'],
  event_tag_list: [],
  event_value_list: [],
  order_by: ORDER_NEWEST_FIRST,
}
const searched = {
  device_macs_to_include: ['door_a'],
  event_tags_to_include: [],
  start_ts: 0,
  end_ts: EVENT_SPAN_MAX_MS,
  limit: SEARCH_LIMIT,
  query: 'person',
}
const judged = {
  is_search_result_accurate: true,
  feedback_message: '',
  feedback_category_id: '',
  query: 'three',
}
const replay = {
  device_id: 'door_a',
  product_model: 'PL-1',
  start_time: String(RECENT),
  end_time: String(RECENT + 9),
  resource_version: '1',
  resource_type: 's3',
  is_live: 'false',
}

const report = {
  event_begin_ts: 1,
  event_end_ts: 9,
  stage: 'submit',
  data: {
    device_info: { device_id: 'door_a', product_model: 'PL-1' },
    alarm_type: '101',
    collect_channel: 'web',
    reported_tags: ['102'],
    extra_info: { app_version: '1', user_agent: 'Tester' },
    service: 1,
  },
}
const wake = {
  targetInfo: { id: 'door_a', type: 'DEVICE', productModel: 'PL-1' },
  capabilities: [{ name: 'wakeup', functions: [{ name: 'wakeup-live-view', in: {} }] }],
  transactionId: 't1',
}

/** Per call the input by which household a asks for its own things; null or `nobodys`: the call names nobody's. */
interface Input {
  input: Record<string, unknown>
  params?: Record<string, string>
  nobodys?: true
}
const INPUTS: Record<string, Input | null> = {
  'CALL-08': { input: {}, params: { uuid: 'user_a' } },
  'CALL-24': { input: { event_id: 'event_a', device_id: 'door_a' } },
  'CALL-26': { input: replay },
  'CALL-27': null,
  'CALL-28': { input: { device_category: 'camera', env: 'beta', home_id: 'home_a' } },
  'CALL-29': { input: { device_macs: ['door_a'] } },
  'CALL-30': { input: { device_list: [{ device_id: 'door_a' }] } },
  'CALL-31': { input: wake },
  'CALL-32': null,
  'CALL-33': { input: { filterCamerasMac: ['door_a'] } },
  'CALL-34': { input: { channel: 'web' }, nobodys: true },
  'CALL-35': null,
  'CALL-36': null,
  'CALL-37': { input: query },
  'CALL-38': { input: query },
  'CALL-25': { input: { ...replay, is_live: 'true' } },
  'CALL-39': { input: { event_id_list: ['event_a'] }, nobodys: true },
  'CALL-40': { input: { include_shared: 'true' }, nobodys: true },
  'CALL-43': { input: { event_ids: ['event_a'] }, nobodys: true },
  'CALL-44': { input: { feedback: 'wrong' }, params: { event_id: 'event_a' } },
  'CALL-45': { input: report, params: { deviceMac: 'door_a', eventId: 'event_a' } },
  'CALL-41': { input: { did: 'door_a', resolution: '360p' } },
  'CALL-42': { input: { did: 'door_a', action: 'exchange_pip', params: 'pip' } },
  'CALL-46': { input: searched },
  'CALL-47': null,
  'CALL-50': { input: { version: 'v1' }, nobodys: true },
  'CALL-51': null,
  'CALL-52': null,
  'CALL-53': null,
  'CALL-54': { input: { state: 1 }, nobodys: true },
  'CALL-55': null,
  'CALL-56': { input: judged },
  'CALL-57': null,
  'CALL-58': { input: {}, params: { collection_id: 'home_a' } },
  'EXT-feed-ticket': null,
  'EXT-snapshot': { input: { device_id: 'door_a' } },
  'EXT-review': { input: { event_ids: ['event_a'] } },
  'EXT-timeline': { input: { device_ids: ['door_a'], begin_time: 0, end_time: 10 } },
  'EXT-export': { input: { files: [{ event_id: 'event_a', name: 'Door.mp4' }] } },
  'EXT-events-delete': { input: { event_ids: ['spare_event_a'] } },
  'EXT-events-restore': { input: { event_ids: ['deleted_event_a'] } },
  'EXT-retention': null,
  'EXT-bridge-code': null,
  'EXT-bridges': null,
  'EXT-bridge-rename': { input: { bridge_id: 'bridge_a', name: 'Attic' } },
  'EXT-bridge-revoke': { input: { bridge_id: 'spare_a' } },
  'EXT-camera-power': { input: { device_id: 'door_a', on: true } },
  'EXT-camera-settings': { input: { device_id: 'door_a' } },
  'EXT-set-camera-settings': { input: { device_id: 'door_a', settings: DEFAULT_CAMERA_SETTINGS } },
  'EXT-try-motion': { input: { device_id: 'door_a', settings: DEFAULT_CAMERA_SETTINGS } },
  'EXT-camera-rename': { input: { device_id: 'door_a', nickname: 'Door' } },
  'EXT-camera-order': { input: { device_ids: ['door_a'] } },
  'EXT-camera-remove': { input: { device_id: 'gone_a' } },
  'EXT-camera-states': { input: { device_id: 'door_a', begin_time: 0, end_time: 1 } },
  'EXT-share': { input: { device_id: 'door_a', email: 'guest@example.com', role: 2 } },
  'EXT-shares': null,
  'EXT-unshare': { input: { device_id: 'door_a', email: 'guest@example.com' } },
}

const named = GATEWAY_CALLS.map((call): [string, Call] => [`${call.method} ${call.path}`, call])

/** What somebody may ask whom a camera is shared with: to see it and its events, and what is that account's own. */
const GUESTS = new Set([
  ...['CALL-24', 'CALL-25', 'CALL-26', 'CALL-27', 'CALL-29', 'CALL-30', 'CALL-31', 'CALL-32', 'CALL-33', 'CALL-34'],
  ...['CALL-35', 'CALL-36', 'CALL-37', 'CALL-38', 'CALL-39', 'CALL-40', 'CALL-43', 'CALL-44', 'CALL-46', 'CALL-47'],
  ...['CALL-48', 'CALL-49', 'CALL-50', 'CALL-51', 'CALL-52', 'CALL-53', 'CALL-54', 'CALL-55', 'CALL-56', 'CALL-57'],
  ...['CALL-58', 'EXT-search-feedback-undo', 'EXT-feed-ticket', 'EXT-snapshot', 'EXT-review', 'EXT-timeline'],
  ...['EXT-export', 'EXT-camera-states', 'EXT-retention', 'EXT-bridges', 'EXT-shares'],
])

describe('somebody whom a camera is shared with', () => {
  beforeAll(() => town.call(guest, onboardingRegister))

  test.each(named)('watches and changes nothing of its home: %s', async (_name, call) => {
    const { input, params } = INPUTS[call.ledger] ?? { input: {} }
    const { status } = await town.call(guest, call, input, params)
    // 404: the owner's searches and deleted events are not there for anybody else.
    expect(GUESTS.has(call.ledger) ? [200, 404] : [403, 404]).toContain(status)
  })
})

describe('ownership', () => {
  test.each(named)('of what %s names is checked', async (_name, call) => {
    const known = INPUTS[call.ledger]
    if (known === undefined) throw new Error(`Say in this test by which ids ${call.ledger} asks.`)
    const { input, params, nobodys }: Input = known ?? { input: {}, nobodys: true }
    const [mine, theirs] = [await town.call(town.a, call, input, params), await town.call(town.b, call, input, params)]
    expect([mine.status, mine.body.code]).toEqual([200, call.success])
    expect(nobodys ? [200] : [403, 404]).toContain(theirs.status)
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
  test.each(named)('CALL-72 to %s is answered with a code, never by a failure of the server', async (_name, call) => {
    const { input, params } = INPUTS[call.ledger] ?? { input: {} }
    const tryOut = async (field: string, value: unknown) => {
      const { status, body } = await town.call(town.a, call, { ...input, [field]: value }, params)
      expect([field, value, status < 500, body.code !== undefined]).toEqual([field, value, true, true])
    }
    for (const field of [...Object.keys(input), 'nonce', 'user_id'])
      await Promise.all(NASTY.map((value) => tryOut(field, value)))
  })

  const camera = { ...CAMERA, home_id: 'home_a', firmware_version: '1' }
  const object = { kind: 'clip', name: 'x', type: 'video/mp4', length: 1 }
  const event = makeEvent('door_a', 'fuzz')
  const clip = { device_id: 'door_a', event_id: 'event_a', clip_object: null, thumb_object: null, event_resources: [] }
  test.each<[string, string, object, (one: object) => object]>([
    ['PUT', `${BRIDGE_PATHS.cameras}/door_a`, camera, (one) => one],
    ['POST', BRIDGE_PATHS.uploads, object, (one) => ({ device_id: 'door_a', objects: [one] })],
    ['POST', BRIDGE_PATHS.events, event, (one) => ({ event: one })],
    ['POST', BRIDGE_PATHS.clip, clip, (one) => one],
    ['POST', BRIDGE_PATHS.enrol, { code: 'x', name: 'y' }, (one) => one],
    ['POST', BRIDGE_PATHS.history, event, (one) => ({ device_id: 'door_a', events: [one] })],
  ])('of a bridge to %s %s never is one either', async (method, path, input, wrap) => {
    const tryOut = async (field: string, value: unknown) => {
      const { status } = await town.a.bridge.send(method, path, wrap({ ...input, [field]: value }))
      expect([field, value, status < 500]).toEqual([field, value, true])
    }
    for (const field of Object.keys(input)) await Promise.all(NASTY.map((value) => tryOut(field, value)))
  })
})
