import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BRIDGE_PATHS } from '../../../contract/bridge/bridge-protocol.ts'
import { type Call } from '../../../contract/wire/call.ts'
import * as cancellation from '../../../contract/billing/cancellation.ts'
import { askBridge } from '../../../contract/cameras/camera-setup.ts'
import { GATEWAY_CALLS } from '../../../contract/all-calls.ts'
import { DEMO_COUPONS } from '../../../contract/operator/demo-coupons.ts'
import { exportAccountData } from '../../../contract/account/data-export.ts'
import { deleteEvents } from '../../../contract/events/timeline.ts'
import { createPurchase, previewPurchase, updatePurchase } from '../../../contract/billing/purchase.ts'
import { mergePeople } from '../../../contract/events/people.ts'
import { shareCamera } from '../../../contract/cameras/owner-calls.ts'
import { onboardingRegister, search, searchFeedback } from '../../../contract/search/search-calls.ts'
import { processRedeem } from '../../../contract/billing/coupons.ts'
import { storeBridge } from '../../../provider/bridge/enroll-bridge.ts'
import { unwrapLedgerResult } from '../../../provider/billing/ledger/ledger-stub.ts'
import { addCoupons } from '../../../provider/billing/coupons/coupon-rows.ts'
import { addCard } from '../../support/cards.ts'
import type { Answer, Neighborhood } from '../../support/home.ts'
import { addAccount, CAMERA, makeEvent, openNeighborhood, RECENT } from '../../support/home.ts'
import { INPUTS as USUAL, type Input, judged, searched } from '../../support/home-calls.ts'
import { type Socket } from '../../support/socket.ts'
import { selectExtent } from '../../support/tier.ts'

/** Input of each call. The setup adds inputs that need ids, for example of the test's own searches. */
const INPUTS = { ...USUAL }
let town: Neighborhood
let control: Socket
let guest: Awaited<ReturnType<typeof addAccount>>
beforeAll(async () => {
  town = await openNeighborhood()
  await addCoupons(town.bindings.DB, DEMO_COUPONS)
  await town.a.bridge.register('door_a', { dual: true })
  await town.a.bridge.register('gone_a')
  guest = await addAccount(town.bindings, 'guest')
  await storeBridge(
    town.bindings,
    'spare_a',
    { key_hash: '0'.repeat(64), name: 'Spare', homes: ['home_a'] },
    Date.now(),
  )
  await town.call(town.a, shareCamera, { device_id: 'door_a', email: 'guest@example.com', role: 2 })
  control = await town.a.bridge.control()
  void answerTrials()
  void answerDoors()
  await requestFromBridge()
  await town.b.bridge.register('door_b')
  const clip_object = await town.a.bridge.upload('door_a', 'clip', 'event_a', Buffer.from('clip'))
  const resource = { begin_time: RECENT, end_time: RECENT + 9, resource_version: 1, resource_type: 's3' as const }
  await town.a.bridge.post(
    makeEvent('door_a', 'event_a', { event_ts: RECENT, clip_object, event_resources: [resource] }),
  )
  const faces = ['Ann', 'Ben', 'Cat', 'Dora']
  await town.a.bridge.post(makeEvent('door_a', 'faces_a', { event_values: ['person', ...faces] }))
  await town.call(town.a, mergePeople, { home_id: 'home_a', person_id: 'person_2', into: 'person_1' })
  for (const id of ['spare_event_a', 'deleted_event_a']) await town.a.bridge.post(makeEvent('door_a', id))
  await town.call(town.a, deleteEvents, { event_ids: ['deleted_event_a'] })
  await makeSearches()
  await makeMethods()
  await makePurchases()
  await makeLeavings()
  const { take_id } = (await town.call(town.a, exportAccountData, { zone: 'UTC' })).body.data
  INPUTS['EXT-take-address'] = { input: { take_id } }
})
afterAll(async () => {
  await control.close()
  await town.close()
})

async function requestFromBridge(): Promise<void> {
  const answer = await town.call(town.a, askBridge, INPUTS['EXT-camera-ask']?.input)
  expect(answer).toMatchObject({ status: 200 })
  const { ask_id } = answer.body.data
  control.send({ type: 'answer', ask_id, box: 'ZW5k', over: true })
  INPUTS['EXT-camera-answers'] = { input: { bridge_id: 'bridge_a', ask_id, after: 0 } }
}

/** Enrolls both households in search. Household a then searches and votes on one result. */
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

async function makeMethods(): Promise<void> {
  const ledger = town.bindings.LEDGERS.getByName(town.a.userId)
  const card = { type: 'card' as const, brand: 'visa', last_four: '4242', name: '', ends: null, address: [] }
  const [first, second] = [
    unwrapLedgerResult(await ledger.addMethod('cs_first', { ...card, token: 'tok_first' }, Date.now())),
    unwrapLedgerResult(await ledger.addMethod('cs_second', { ...card, token: 'tok_second' }, Date.now())),
  ]
  INPUTS['EXT-choose-method'] = { input: { method_id: first.method_id, intent: 'intent_of_choosing' } }
  INPUTS['EXT-remove-method'] = { input: { method_id: second.method_id, intent: 'intent_of_removing' } }
}

/**
 * Buys home monitoring for household a, changes the household's plan, and creates a license that is not yet assigned.
 */
async function makePurchases(): Promise<void> {
  const fetchData = async (call: Call, input: Record<string, unknown>) =>
    (await town.call(town.a, call, input)).body.data
  const { method_id } = await addCard(town.bindings, town.a.userId, '4242')
  const hms = { sku: 'hms', level: '', mode: 'monthly', quantity: 1 }
  const { quote } = await fetchData(previewPurchase, hms)
  const purchase = { ...hms, quote, method_id, intent: 'intent_of_buying_it' }
  const { order } = await fetchData(createPurchase, purchase)
  const plan = { mode: 'annual', quantity: 1, subscription_id: 'user_a' }
  const pro = { ...plan, sku: 'pro', level: 3, revision: 0 }
  const { quote: more, change } = await fetchData(previewPurchase, pro)
  const changed = { ...pro, quote: more, change, method_id, intent: 'intent_of_changing' }
  await fetchData(updatePurchase, changed)
  INPUTS['CALL-10'] = { input: { process_id: order.order_id } }
  INPUTS['CALL-12'] = { input: { ...plan, sku: 'unlimited', level: 2, revision: 1 } }
  INPUTS['CALL-13'] = { input: purchase }
  INPUTS['CALL-14'] = { input: changed }
  const license = { sku: 'cam-ai', channel: 'bonus', status: 'cancelled', quantity: 1, period: 'monthly' } as const
  const until = { billing_provider: 'recurring', since: Date.now(), renews_at: Date.now() + 9e9 } as const
  const opening = { subscription_id: 'licence_a', ...license, ...until }
  await town.bindings.LEDGERS.getByName(town.a.userId).open([opening], Date.now())
  INPUTS['CALL-06'] = { input: { subscription_id: 'licence_a', device_macs: ['door_a'] } }
  INPUTS['EXT-unbind'] = { input: { ...INPUTS['CALL-06'].input, intent: 'intent_of_freeing_it' } }
  const move = { subscription_id: 'licence_a', from: 'door_a', to: 'gone_a', intent: 'intent_of_moving_it' }
  INPUTS['EXT-move-licence'] = { input: move }
}

/** Cancels, reactivates, pauses and resumes plans of household a, pays an overdue plan and extends a free trial. */
async function makeLeavings(): Promise<void> {
  const { method_id } = await addCard(town.bindings, town.a.userId, '4242')
  const plan = { sku: 'hms', channel: 'web', quantity: 1, period: 'monthly', billing_provider: 'card' } as const
  // Redeem the coupon before a free trial starts, because the provider rejects the redemption during a free trial.
  await town.call(town.a, processRedeem, INPUTS['CALL-05']?.input ?? {})
  const dates = { since: Date.now() - 9e9, renews_at: Date.now() + 9e8 }
  const states = { left: 'active', stayed: 'cancelled', paused: 'active', failed: 'past_due', longer: 'trial' } as const
  const openings = Object.entries(states).map(([id, status]) => ({
    ...{ ...plan, ...dates, subscription_id: `${id}_a`, status },
  }))
  await town.bindings.LEDGERS.getByName(town.a.userId).open(openings, Date.now())
  const of = (id: string) => ({ subscription_id: `${id}_a`, revision: 0, intent: `intent_for_plan_${id}` })
  const by = { params: { billing_provider: 'card' } }
  INPUTS['EXT-leaving'] = { input: { subscription_id: 'user_a' } }
  INPUTS['CALL-09'] = { input: { ...of('left'), way: 'end', reason: null }, ...by }
  INPUTS['CALL-07'] = { input: of('stayed'), ...by }
  INPUTS['EXT-pause'] = { input: { ...of('paused'), months: 1 } }
  INPUTS['EXT-resume'] = { input: { ...of('paused'), revision: 1, intent: 'intent_for_going_on' } }
  INPUTS['EXT-pay-open'] = { input: { ...of('failed'), method_id } }
  INPUTS['EXT-extend'] = { input: { subscription_id: 'longer_a', intent: 'intent_for_more_days' } }
  for (const call of [
    cancellation.cancelSubscription,
    cancellation.reactivate,
    cancellation.pausePlan,
    cancellation.resumePlan,
    cancellation.payOpen,
    cancellation.useExtension,
  ]) {
    const { input, params } = INPUTS[call.ledger] ?? { input: {} }
    expect((await town.call(town.a, call, input, params)).status).toBe(200)
  }
}

/** Answers requests for the sealing key, as a bridge does before a camera is added. */
async function answerDoors(): Promise<never> {
  for (;;) {
    const { ask_id } = await control.receive((message) => message.type === 'door')
    control.send({ type: 'door', ask_id, key: 'k'.repeat(87), nonce: 'n'.repeat(22) })
  }
}

/** Answers requests for a motion preview like a bridge that has not watched any video yet. */
async function answerTrials(): Promise<never> {
  const trial = { since: null, watched_ms: 0, events: [] }
  for (;;) {
    const { trial_id } = await control.receive((message) => message.type === 'try_motion')
    control.send({ type: 'trial', trial_id, trial })
  }
}

const named = GATEWAY_CALLS.map((call): [string, Call] => [`${call.method} ${call.path}`, call])

/** Calls that a guest may make: those for the shared camera and its events, and those for the guest's own account. */
const GUESTS = new Set([
  ...['CALL-04', 'CALL-05', 'EXT-plan-truth'],
  ...['CALL-24', 'CALL-25', 'CALL-26', 'CALL-27', 'CALL-29', 'CALL-30', 'CALL-31', 'CALL-32', 'CALL-33', 'CALL-34'],
  ...['CALL-35', 'CALL-36', 'CALL-37', 'CALL-38', 'CALL-39', 'CALL-40', 'CALL-43', 'CALL-44', 'CALL-46', 'CALL-47'],
  ...['CALL-48', 'CALL-49', 'CALL-50', 'CALL-51', 'CALL-52', 'CALL-53', 'CALL-54', 'CALL-55', 'CALL-56', 'CALL-57'],
  ...['CALL-58', 'EXT-search-feedback-undo', 'EXT-feed-ticket', 'EXT-snapshot', 'EXT-review', 'EXT-timeline'],
  ...['EXT-activity', 'EXT-account-leave', 'CALL-11', 'EXT-book', 'EXT-choose-method', 'EXT-remove-method'],
  ...['EXT-auto-cover', 'EXT-set-auto-cover', 'EXT-live-layouts', 'EXT-set-live-layouts', 'EXT-t3-list'],
  ...['EXT-messages', 'EXT-see-messages', 'CALL-15', 'EXT-take-size'],
  ...['EXT-people', 'EXT-export', 'EXT-camera-states', 'EXT-retention', 'EXT-bridges', 'EXT-shares'],
])

describe('guest of a shared camera', () => {
  beforeAll(() => town.call(guest, onboardingRegister))

  test.each(named)('can watch, but cannot change anything in the home of the camera: %s', async (_name, call) => {
    const { input, params } = INPUTS[call.ledger] ?? { input: {} }
    const { status } = await town.call(guest, call, input, params)
    // 404: the owner's searches and deleted events do not exist for other accounts.
    expect(GUESTS.has(call.ledger) ? [200, 404] : [403, 404]).toContain(status)
  })
})

/** Replaces the ids of an input with unused ones. */
const unknown = <T>(input: T): T =>
  JSON.parse(JSON.stringify(input ?? null).replace(/"(\w+_a|[\w-]{36})"/g, '"nobody_has_this"')) as T
/** Returns a response without the parts that differ in every response. */
const normalizeAnswer = ({ status, body: { code, msg, data } }: Answer) => ({
  ...{ status, code, msg },
  data: JSON.stringify(data ?? null)
    .replace(/"(query_id|url|code)":"[^"]*"/g, '"$1"')
    .replace(/\d+/g, '#'),
})

describe('equal responses for a foreign id and an unknown id', () => {
  test.each(named)('%s', async (_name, call) => {
    const { input, params }: Input = INPUTS[call.ledger] ?? { input: {} }
    const theirs = await town.call(town.b, call, input, params)
    expect(normalizeAnswer(theirs)).toEqual(
      normalizeAnswer(await town.call(town.b, call, unknown(input), unknown(params) ?? {})),
    )
  })

  test('cover each call that names a resource', () => {
    const naming = named.filter(([, call]) => JSON.stringify(unknown(INPUTS[call.ledger])).includes('nobody_has_this'))
    expect(naming.length).toBeGreaterThanOrEqual(36)
  })
})

describe('ownership', () => {
  // The provider keeps bridge answers for only a minute, so request them again and test the call that reads them first.
  beforeAll(requestFromBridge)
  const isKeptShortly = ([, { ledger }]: [string, Call]) => ledger === 'EXT-camera-answers'
  const first = named.toSorted((a, b) => Number(isKeptShortly(b)) - Number(isKeptShortly(a)))

  test.each(first)('of the resources that %s names is checked', async (_name, call) => {
    const entry = INPUTS[call.ledger]
    if (entry === undefined) throw new Error(`Say in this test by which ids ${call.ledger} asks.`)
    const { input, params, nobodys, leavesOut }: Input = entry ?? { input: {}, nobodys: true }
    const [mine, theirs] = [await town.call(town.a, call, input, params), await town.call(town.b, call, input, params)]
    expect([mine.status, mine.body.code]).toEqual([200, call.success])
    expect(nobodys || leavesOut ? [200] : [403, 404]).toContain(theirs.status)
    expect(JSON.stringify(theirs.body)).not.toMatch(/door_a|event_a|home_a|user_a|Home of a/)
  })

  test.each(named)('is denied to a call without a valid token: %s', async (_name, call) => {
    const { input, params } = INPUTS[call.ledger] ?? { input: {} }
    const { status, body } = await town.call({ ...town.a, token: 'x'.repeat(43) }, call, input, params)
    expect([status, body.code, body.data]).toEqual([401, 401, undefined])
  })
})

const NASTY = [null, '', -1, 1e21, true, [], {}, [null], '../../etc', "' OR 1=1 --", '\u0000', 'x'.repeat(5000)]
/**
 * Number of calls of `nasty`. In the gate, each field is tested with a third of the values, and the next field with
 * another third; `npm run test:all` uses all values.
 */
let turn = 0
function nasty() {
  turn += 1
  return NASTY.filter((_, n) => (n + turn) % selectExtent(3, 1) === 0)
}

describe('malformed input', () => {
  test.each(named)('CALL-72 to %s returns a code, never a server error', async (_name, call) => {
    const { input, params } = INPUTS[call.ledger] ?? { input: {} }
    const tryOut = async (field: string, value: unknown) => {
      const { status, body } = await town.call(town.a, call, { ...input, [field]: value }, params)
      expect([field, value, status < 500, body.code !== undefined]).toEqual([field, value, true, true])
    }
    for (const field of [...Object.keys(input), 'nonce', 'user_id'])
      await Promise.all(nasty().map((value) => tryOut(field, value)))
  })

  const camera = { ...CAMERA, home_id: 'home_a', firmware_version: '1' }
  const object = { kind: 'clip', name: 'x', type: 'video/mp4', length: 1 }
  const event = makeEvent('door_a', 'fuzz')
  const clip = { device_id: 'door_a', event_id: 'event_a', clip_object: null, thumb_object: null, event_resources: [] }
  const by = { kind: 'model', model: 'any', at: RECENT }
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
    const tryOut = async (field: string, value: unknown) => {
      const { status } = await town.a.bridge.send(method, path, wrap({ ...input, [field]: value }))
      expect([field, value, status < 500]).toEqual([field, value, true])
    }
    for (const field of Object.keys(input)) await Promise.all(nasty().map((value) => tryOut(field, value)))
  })
})
