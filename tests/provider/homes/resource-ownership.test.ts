import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BRIDGE_PATHS } from '../../../contract/bridge/bridge-protocol.ts'
import { type Call } from '../../../contract/wire/call.ts'
import { forwardSealedRequest } from '../../../contract/cameras/camera-setup.ts'
import { GATEWAY_CALLS } from '../../../contract/all-calls.ts'
import { DEMO_COUPONS } from '../../../contract/operator/demo-coupons.ts'
import { exportAccountData } from '../../../contract/account/data-export.ts'
import { deleteEvents } from '../../../contract/events/timeline.ts'
import { mergePeople } from '../../../contract/events/people.ts'
import { shareCamera } from '../../../contract/cameras/owner-calls.ts'
import { onboardingRegister, search, searchFeedback } from '../../../contract/search/search-calls.ts'
import { storeBridge } from '../../../provider/bridge/enroll-bridge.ts'
import { addCoupons } from '../../../provider/billing/coupons/coupon-rows.ts'
import { createBillingInputs } from '../../support/billing-call-inputs.ts'
import type { CallResponse, Neighborhood } from '../../support/home.ts'
import { addAccount, TEST_CAMERA, createBridgeEvent, openNeighborhood, RECENT_TIME_MS } from '../../support/home.ts'
import { CALL_INPUTS as USUAL, type CallInput, SEARCH_FEEDBACK, SEARCH_INPUT } from '../../support/home-calls.ts'
import { type TestSocket } from '../../support/socket.ts'
import { selectByTestTier } from '../../support/tier.ts'

/** Inputs by requirement id of the call. The setup adds the inputs that need ids of created data, such as searches. */
const INPUTS = { ...USUAL }
let neighborhood: Neighborhood
let controlSocket: TestSocket
let guest: Awaited<ReturnType<typeof addAccount>>
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  await addCoupons(neighborhood.bindings.DB, DEMO_COUPONS)
  await neighborhood.a.bridge.register('door_a', { dual: true })
  await neighborhood.a.bridge.register('gone_a')
  guest = await addAccount(neighborhood.bindings, 'guest')
  await storeBridge(
    neighborhood.bindings,
    'spare_a',
    { key_hash: '0'.repeat(64), name: 'Spare', homes: ['home_a'] },
    Date.now(),
  )
  await neighborhood.call(neighborhood.a, shareCamera, { device_id: 'door_a', email: 'guest@example.com', role: 2 })
  controlSocket = await neighborhood.a.bridge.openControlSocket()
  void answerMotionPreviews()
  void answerKeyRequests()
  await requestFromBridge()
  await neighborhood.b.bridge.register('door_b')
  const clip_object = await neighborhood.a.bridge.upload('door_a', 'clip', 'event_a', Buffer.from('clip'))
  const resource = {
    begin_time: RECENT_TIME_MS,
    end_time: RECENT_TIME_MS + 9,
    resource_version: 1,
    resource_type: 's3' as const,
  }
  await neighborhood.a.bridge.postEvent(
    createBridgeEvent('door_a', 'event_a', { event_ts: RECENT_TIME_MS, clip_object, event_resources: [resource] }),
  )
  const faces = ['Ann', 'Ben', 'Cat', 'Dora']
  await neighborhood.a.bridge.postEvent(createBridgeEvent('door_a', 'faces_a', { event_values: ['person', ...faces] }))
  await neighborhood.call(neighborhood.a, mergePeople, { home_id: 'home_a', person_id: 'person_2', into: 'person_1' })
  for (const id of ['spare_event_a', 'deleted_event_a'])
    await neighborhood.a.bridge.postEvent(createBridgeEvent('door_a', id))
  await neighborhood.call(neighborhood.a, deleteEvents, { event_ids: ['deleted_event_a'] })
  await createSearches()
  await createBillingInputs(neighborhood, INPUTS)
  const { take_id } = (await neighborhood.call(neighborhood.a, exportAccountData, { zone: 'UTC' })).body.data
  INPUTS['EXT-take-address'] = { input: { take_id } }
})
afterAll(async () => {
  await controlSocket.close()
  await neighborhood.close()
})

async function requestFromBridge(): Promise<void> {
  const answer = await neighborhood.call(neighborhood.a, forwardSealedRequest, INPUTS['EXT-camera-ask']?.input)
  expect(answer).toMatchObject({ status: 200 })
  const { ask_id } = answer.body.data
  controlSocket.send({ type: 'answer', ask_id, box: 'ZW5k', over: true })
  INPUTS['EXT-camera-answers'] = { input: { bridge_id: 'bridge_a', ask_id, after: 0 } }
}

/**
 * Enrolls both households in search. Searches and gives feedback as household a. Adds to `INPUTS` the inputs that
 * need the id of a query or of the feedback.
 */
async function createSearches(): Promise<void> {
  for (const household of [neighborhood.a, neighborhood.b]) await neighborhood.call(household, onboardingRegister)
  const ids: string[] = []
  for (const words of ['one', 'two', 'three', 'four'])
    ids.push((await neighborhood.call(neighborhood.a, search, { ...SEARCH_INPUT, query: words })).body.data.query_id)
  const { feedback_id } = (
    await neighborhood.call(neighborhood.a, searchFeedback, { ...SEARCH_FEEDBACK, query: 'four' })
  ).body.data
  INPUTS['CALL-48'] = { input: { query_ids: [ids[0]], delete_all: false }, nobodys: true }
  INPUTS['CALL-49'] = { input: {}, params: { query_id: ids[1] ?? '' } }
  INPUTS['EXT-search-feedback-undo'] = { input: { feedback_id } }
}

/** Answers requests for the sealing key, as a bridge does before a camera is added. */
async function answerKeyRequests(): Promise<never> {
  for (;;) {
    const { ask_id } = await controlSocket.receive((message) => message.type === 'door')
    controlSocket.send({ type: 'door', ask_id, key: 'k'.repeat(87), nonce: 'n'.repeat(22) })
  }
}

/** Answers requests for a motion preview like a bridge that has not watched any video yet. */
async function answerMotionPreviews(): Promise<never> {
  const trial = { since: null, watched_ms: 0, events: [] }
  for (;;) {
    const { trial_id } = await controlSocket.receive((message) => message.type === 'try_motion')
    controlSocket.send({ type: 'trial', trial_id, trial })
  }
}

const namedCalls = GATEWAY_CALLS.map((call): [string, Call] => [`${call.method} ${call.path}`, call])

/** Calls that a guest may make: those for the shared camera and its events, and those for the guest's own account. */
const GUEST_CALLS = new Set(
  [
    'CALL-04 CALL-05 EXT-plan-truth CALL-24 CALL-25 CALL-26 CALL-27 CALL-29 CALL-30 CALL-31 CALL-32 CALL-33',
    'CALL-34 CALL-35 CALL-36 CALL-37 CALL-38 CALL-39 CALL-40 CALL-43 CALL-44 CALL-46 CALL-47 CALL-48 CALL-49',
    'CALL-50 CALL-51 CALL-52 CALL-53 CALL-54 CALL-55 CALL-56 CALL-57 CALL-58 EXT-search-feedback-undo',
    'EXT-feed-ticket EXT-snapshot EXT-review EXT-timeline EXT-activity EXT-account-leave CALL-11 EXT-book',
    'EXT-choose-method EXT-remove-method EXT-auto-cover EXT-set-auto-cover EXT-live-layouts',
    'EXT-set-live-layouts EXT-t3-list EXT-time-zone EXT-messages EXT-see-messages CALL-15 EXT-take-size EXT-people',
    'EXT-export EXT-camera-states EXT-retention EXT-storage EXT-bridges EXT-shares',
  ].flatMap((ids) => ids.split(' ')),
)

describe('guest of a shared camera', () => {
  beforeAll(() => neighborhood.call(guest, onboardingRegister))

  test.each(namedCalls)('can watch, but cannot change anything in the home of the camera: %s', async (_name, call) => {
    const { input, params } = INPUTS[call.ledger] ?? { input: {} }
    const { status } = await neighborhood.call(guest, call, input, params)
    // 404: the owner's searches and deleted events do not exist for other accounts.
    expect(GUEST_CALLS.has(call.ledger) ? [200, 404] : [403, 404]).toContain(status)
  })
})

const replaceIdsWithUnknown = <T>(input: T): T =>
  JSON.parse(JSON.stringify(input ?? null).replace(/"(\w+_a|[\w-]{36})"/g, '"nobody_has_this"')) as T
/** Returns a response without the parts that differ in every response. */
const normalizeAnswer = ({ status, body: { code, msg, data } }: CallResponse) => ({
  status,
  code,
  msg,
  data: JSON.stringify(data ?? null)
    .replace(/"(query_id|url|code)":"[^"]*"/g, '"$1"')
    .replace(/\d+/g, '#'),
})

describe('equal responses for a foreign id and an unknown id', () => {
  test.each(namedCalls)('%s', async (_name, call) => {
    const { input, params }: CallInput = INPUTS[call.ledger] ?? { input: {} }
    const theirs = await neighborhood.call(neighborhood.b, call, input, params)
    expect(normalizeAnswer(theirs)).toEqual(
      normalizeAnswer(
        await neighborhood.call(
          neighborhood.b,
          call,
          replaceIdsWithUnknown(input),
          replaceIdsWithUnknown(params) ?? {},
        ),
      ),
    )
  })

  test('cover each call that names a resource', () => {
    const callsWithIds = namedCalls.filter(([, call]) =>
      JSON.stringify(replaceIdsWithUnknown(INPUTS[call.ledger])).includes('nobody_has_this'),
    )
    expect(callsWithIds.length).toBeGreaterThanOrEqual(36)
  })
})

describe('ownership', () => {
  // The provider stores bridge responses for only a minute, so request new responses, and begin with the call that
  // reads them.
  beforeAll(requestFromBridge)
  const isShortLived = ([, { ledger }]: [string, Call]) => ledger === 'EXT-camera-answers'
  const first = namedCalls.toSorted((a, b) => Number(isShortLived(b)) - Number(isShortLived(a)))

  test.each(first)('of the resources that %s names is checked', async (_name, call) => {
    const entry = INPUTS[call.ledger]
    if (entry === undefined) throw new Error(`Add an entry for ${call.ledger} to INPUTS.`)
    const {
      input,
      params,
      nobodys: isOpenToOthers,
      leavesOut: omitsForeignResources,
    }: CallInput = entry ?? { input: {}, nobodys: true }
    const [mine, theirs] = [
      await neighborhood.call(neighborhood.a, call, input, params),
      await neighborhood.call(neighborhood.b, call, input, params),
    ]
    expect([mine.status, mine.body.code]).toEqual([200, call.success])
    expect(isOpenToOthers || omitsForeignResources ? [200] : [403, 404]).toContain(theirs.status)
    expect(JSON.stringify(theirs.body)).not.toMatch(/door_a|event_a|home_a|user_a|Home of a/)
  })

  test.each(namedCalls)('is denied to a call without a valid token: %s', async (_name, call) => {
    const { input, params } = INPUTS[call.ledger] ?? { input: {} }
    const { status, body } = await neighborhood.call({ ...neighborhood.a, token: 'x'.repeat(43) }, call, input, params)
    expect([status, body.code, body.data]).toEqual([401, 401, undefined])
  })
})

const MALFORMED_VALUES = [
  null,
  '',
  -1,
  1e21,
  true,
  [],
  {},
  [null],
  '../../etc',
  "' OR 1=1 --",
  '\u0000',
  'x'.repeat(5000),
]
/**
 * Number of calls of `selectMalformedValues`. `npm test` tests each field with only one third of the values, and
 * successive fields with different thirds. `npm run test:all` tests each field with all values.
 */
let callCount = 0
function selectMalformedValues() {
  callCount += 1
  return MALFORMED_VALUES.filter((_, n) => (n + callCount) % selectByTestTier(3, 1) === 0)
}

describe('malformed input', () => {
  test.each(namedCalls)('CALL-72 to %s returns a code, never a server error', async (_name, call) => {
    const { input, params } = INPUTS[call.ledger] ?? { input: {} }
    const sendField = async (field: string, value: unknown) => {
      const { status, body } = await neighborhood.call(neighborhood.a, call, { ...input, [field]: value }, params)
      expect([field, value, status < 500, body.code !== undefined]).toEqual([field, value, true, true])
    }
    for (const field of [...Object.keys(input), 'nonce', 'user_id'])
      await Promise.all(selectMalformedValues().map((value) => sendField(field, value)))
  })

  const camera = { ...TEST_CAMERA, home_id: 'home_a', firmware_version: '1' }
  const object = { kind: 'clip', name: 'x', type: 'video/mp4', length: 1 }
  const event = createBridgeEvent('door_a', 'fuzz')
  const clip = { device_id: 'door_a', event_id: 'event_a', clip_object: null, thumb_object: null, event_resources: [] }
  const by = { kind: 'model', model: 'any', at: RECENT_TIME_MS }
  const description = { device_id: 'door_a', event_id: 'event_a', moments: [], tags: [], values: [], title: 'Any', by }
  test.each<[string, string, object, (body: object) => object]>([
    ['PUT', `${BRIDGE_PATHS.cameras}/door_a`, camera, (body) => body],
    ['POST', BRIDGE_PATHS.uploads, object, (body) => ({ device_id: 'door_a', objects: [body] })],
    ['POST', BRIDGE_PATHS.events, event, (body) => ({ event: body })],
    ['POST', BRIDGE_PATHS.clip, clip, (body) => body],
    ['POST', BRIDGE_PATHS.moments, description, (body) => body],
    ['POST', BRIDGE_PATHS.enrol, { code: 'x', name: 'y' }, (body) => body],
    ['POST', BRIDGE_PATHS.history, event, (body) => ({ device_id: 'door_a', events: [body] })],
  ])('from a bridge to %s %s never causes a server error', async (method, path, input, wrap) => {
    const sendField = async (field: string, value: unknown) => {
      const { status } = await neighborhood.a.bridge.send(method, path, wrap({ ...input, [field]: value }))
      expect([field, value, status < 500]).toEqual([field, value, true])
    }
    for (const field of Object.keys(input))
      await Promise.all(selectMalformedValues().map((value) => sendField(field, value)))
  })
})
