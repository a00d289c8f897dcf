import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { userLogin, userLogout, userMe } from '../../../../contract/auth/user-calls.ts'
import { CALLS } from '../../../../contract/all-calls.ts'
import { NONCE_WINDOW_MS } from '../../../../contract/wire/constants.ts'
import { getHomeDevices, getHomes } from '../../../../contract/cameras/devices.ts'
import { ENDPOINT_GROUPS } from '../../../../contract/wire/endpoint-groups.ts'
import { eventHistory } from '../../../../contract/events/events.ts'
import { hashToken } from '../../../../provider/platform/crypto/token-hash.ts'
import { createNonceAt, sendCallAsEdge, signInAtProvider } from '../../../support/provider.ts'
import { openTestDeployment, type TestDeployment } from '../../../support/harness.ts'

let deployment: TestDeployment
let token: string
let userId: string
beforeAll(async () => {
  deployment = await openTestDeployment({ seeded: true })
  token = (await signInAtProvider(deployment.env)).access_token
  userId = ((await (await sendCallAsEdge(deployment.env, userMe, token)).json()) as { user_id: string }).user_id
})
afterAll(() => deployment.close())

/** Values of `via` for calls without an access token: OAuth, device collector, and telemetry libraries (`sink`). */
const tokenlessRoutes: readonly string[] = ['oauth', 'collector', 'sink']
const tokenCalls = CALLS.filter(
  (call) => call.request !== null && !tokenlessRoutes.includes(call.via) && call !== userLogin,
)
const tokenCallRows = tokenCalls.map((call) => [`${call.method} ${call.path}`, call] as const)
const params = {
  uuid: 'somebody',
  event_id: 'event',
  deviceMac: 'device',
  eventId: 'event',
  query_id: 'query',
  collection_id: 'collection',
  billing_provider: 'recurring',
}
const buildDevicesPayload = () => ({ device_category: 'camera', env: 'beta', nonce: createNonceAt() })

async function readStatusAndBody(answer: Response) {
  return { status: answer.status, body: (await answer.json()) as { code: unknown; msg?: string } }
}

describe('the access token', () => {
  test.each(tokenCallRows)('of no account is rejected with 401 by %s', async (_, call) => {
    const { status, body } = await readStatusAndBody(
      await sendCallAsEdge(deployment.env, call, 'x'.repeat(43), { params, payload: { nonce: createNonceAt() } }),
    )
    expect([status, body.code]).toEqual([401, 401])
  })

  test.each(['', 'short', "'; DROP TABLE oidc; --", 'x'.repeat(5000)])('%j gives no access', async (value) => {
    expect(
      (await sendCallAsEdge(deployment.env, getHomes, value, { payload: { nonce: createNonceAt() } })).status,
    ).toBe(401)
  })

  test('is rejected once it has expired', async () => {
    const { access_token: short } = await signInAtProvider(deployment.env)
    const { DB } = (await deployment.provider.getWorker().getEnv()) as { DB: D1 }
    await DB.prepare('UPDATE oidc SET expires_at = ? WHERE id = ?')
      .bind(Math.floor(Date.now() / 1000), hashToken(short))
      .run()
    expect(
      (await sendCallAsEdge(deployment.env, getHomes, short, { payload: { nonce: createNonceAt() } })).status,
    ).toBe(401)
  })
})

describe('the request signature', () => {
  test('SIGN-13 is required by a signed group: a call succeeds with it and is rejected without it', async () => {
    expect(
      (await sendCallAsEdge(deployment.env, getHomeDevices, token, { payload: buildDevicesPayload() })).status,
    ).toBe(200)
    const unsigned = await readStatusAndBody(
      await sendCallAsEdge(deployment.env, getHomeDevices, token, { payload: buildDevicesPayload(), signature: null }),
    )
    expect([unsigned.status, unsigned.body.code]).toEqual([403, 403])
  })

  test.each(tokenCallRows.filter(([, call]) => ENDPOINT_GROUPS[call.group].secret !== null))(
    'SIGN-13 %s is rejected if one byte of it has changed',
    async (_, call) => {
      const tamper = (body: string) =>
        body.replace(/(\d)(\D*)$/, (_all, digit: string, rest: string) => `${(Number(digit) + 1) % 10}${rest}`)
      const answer = await sendCallAsEdge(deployment.env, call, token, {
        params,
        payload: { nonce: createNonceAt() },
        tamper,
      })
      expect(answer.status).toBe(403)
    },
  )

  test('made with the secret of another endpoint is rejected', async () => {
    const env = { ...deployment.env, SIGN_NEW_DEVICE: deployment.env.SIGN_V4_EVENT }
    expect((await sendCallAsEdge(env, getHomeDevices, token, { payload: buildDevicesPayload() })).status).toBe(403)
  })

  test('covers the parameters of a GET, whatever their order', async () => {
    expect(
      (
        await sendCallAsEdge(deployment.env, getHomes, token, {
          payload: { zebra: '1 2', nonce: createNonceAt(), alpha: 'ä' },
        })
      ).status,
    ).toBe(200)
  })
})

describe('the nonce', () => {
  test.each(tokenCallRows.filter(([, call]) => call.nonce))(
    'CALL-73 that was used before is rejected by %s',
    async (_, call) => {
      const nonce = createNonceAt()
      expect((await sendCallAsEdge(deployment.env, getHomes, token, { payload: { nonce } })).status).toBe(200)
      const { status, body } = await readStatusAndBody(
        await sendCallAsEdge(deployment.env, call, token, {
          params,
          payload: { ...validPayloads[call.ledger], ...(call.userId && { user_id: userId }), nonce },
        }),
      )
      expect(status).toBe(400)
      expect(body.msg).toMatch(/nonce/)
    },
  )

  test.each([
    ['older than five minutes', () => createNonceAt(Date.now() - NONCE_WINDOW_MS - 1000)],
    ['far in the future', () => createNonceAt(Date.now() + NONCE_WINDOW_MS)],
    ['not made of digits', () => 'today'],
    ['a number instead of a string', () => Number(createNonceAt())],
    ['missing', () => undefined],
  ])('CALL-73 %s is rejected', async (_, nonce) => {
    const { status, body } = await readStatusAndBody(
      await sendCallAsEdge(deployment.env, getHomeDevices, token, {
        payload: { ...buildDevicesPayload(), nonce: nonce() },
      }),
    )
    expect(status).toBe(400)
    expect(body.msg).toMatch(/nonce/)
  })
})

describe('the payload', () => {
  const garbage: Record<string, unknown>[] = [
    { device_category: 7, device_list: 'all', event_ids: {}, device_id: null, begin_time: 'now', start_time: -1 },
    { device_list: [{ device_id: '../../etc' }], event_ids: [''], event_id: 'x'.repeat(5000), home_id: '; DROP' },
    { __proto__: null, constructor: { prototype: 1 }, device_id_list: [[[]]], count: 1e308 },
  ]

  test.each(tokenCallRows)('CALL-72 of garbage gets a rejection from %s, never a server error', async (_, call) => {
    for (const payload of garbage) {
      const callToken = call === userLogout ? (await signInAtProvider(deployment.env)).access_token : token
      const { status, body } = await readStatusAndBody(
        await sendCallAsEdge(deployment.env, call, callToken, {
          params,
          payload: { ...payload, nonce: createNonceAt() },
        }),
      )
      expect([200, 400, 403, 404]).toContain(status)
      expect(body.code).toBe(status === 200 ? call.success : status)
      expect(body).not.toHaveProperty('access_token')
    }
  })

  test.each(['null', '[]', '"text"', '{', '{"a":', '\u0000'])(
    '%j instead of a JSON object is rejected with 400',
    async (body) => {
      const answer = await sendCallAsEdge(deployment.env, eventHistory, token, { tamper: () => body })
      expect((await readStatusAndBody(answer)).body.code).toBe(400)
    },
  )

  test('is rejected if it names another user', async () => {
    const payload = { ...validPayloads['CALL-37'], user_id: 'user_somebody', nonce: createNonceAt() }
    expect((await sendCallAsEdge(deployment.env, eventHistory, token, { payload })).status).toBe(403)
  })
})

test.each(['/api/v2/nothing', '/oauth/nothing', '/'])('the unknown path %s returns 404 with a code', async (path) => {
  const { status, body } = await readStatusAndBody(await fetch(deployment.env.PROVIDER_ORIGIN + path))
  expect([status, body.code]).toEqual([404, 404])
})

interface D1 {
  prepare(sql: string): { bind(...values: unknown[]): { run(): Promise<unknown> } }
}

const eventListPayload = {
  begin_time: 0,
  end_time: 1,
  count: 10_000,
  device_id_list: [],
  event_tag_list: [],
  event_value_list: [],
  order_by: 2,
}
/** Valid payloads, by requirement id of the call. */
const validPayloads: Record<string, Record<string, unknown>> = {
  'CALL-24': { event_id: 'event', device_id: 'device' },
  'CALL-27': {},
  'CALL-28': { device_category: 'camera', env: 'beta' },
  'CALL-29': { device_macs: ['device'] },
  'CALL-30': { device_list: [] },
  'CALL-31': {
    targetInfo: { id: 'device', type: 'DEVICE', productModel: 'PL-CAM-V1' },
    capabilities: [{ name: 'wakeup', functions: [{ name: 'wakeup-live-view' }] }],
    transactionId: 'turn',
  },
  'CALL-34': { channel: 'web' },
  'CALL-36': {},
  'CALL-37': eventListPayload,
  'CALL-38': eventListPayload,
  'CALL-43': { event_ids: ['event'] },
  'CALL-44': { feedback: 'right' },
  'CALL-45': {
    event_begin_ts: 0,
    event_end_ts: 1,
    stage: 'submit',
    data: {
      device_info: { device_id: 'device', product_model: 'PL-1' },
      alarm_type: '',
      collect_channel: 'web',
      reported_tags: [],
      extra_info: { app_version: '1', user_agent: '' },
      service: 0,
    },
  },
  'CALL-51': {},
  'CALL-53': {},
  'CALL-54': { state: 1 },
  'CALL-56': { is_search_result_accurate: true, feedback_message: '', feedback_category_id: '', query: 'a dog' },
  'EXT-search-feedback-undo': { feedback_id: 'feedback' },
  'EXT-timeline': { device_ids: ['device'], begin_time: 0, end_time: 1 },
  'EXT-events-delete': { event_ids: ['event'] },
  'EXT-events-restore': { event_ids: ['event'] },
  'EXT-set-storage-limits': { device_id: 'device', max_bytes: null, max_days: 1, preview: true },
  'EXT-export': { files: [{ event_id: 'event', name: 'Door.mp4' }] },
  'EXT-feed-ticket': {},
  'EXT-review': { event_ids: ['event'] },
  'EXT-camera-door': {},
  'EXT-camera-ask': {
    bridge_id: 'bridge',
    sealed: { nonce: 'n'.repeat(22), page_key: 'k'.repeat(87), box: 'box' },
  },
  'EXT-camera-answers': { bridge_id: 'bridge', ask_id: 'ask', after: 0 },
  'EXT-bridge-rename': { bridge_id: 'bridge', name: 'Attic' },
  'EXT-bridge-revoke': { bridge_id: 'bridge' },
  'EXT-camera-power': { device_id: 'device', on: true },
  'EXT-set-camera-settings': { device_id: 'device', settings: { motion: true, sensitivity: 1, zones: [] } },
  'EXT-try-motion': { device_id: 'device', settings: { motion: true, sensitivity: 1, zones: [] } },
  'EXT-set-camera-places': { device_id: 'device', places: ['upstairs'] },
  'EXT-camera-rename': { device_id: 'device', nickname: 'Door' },
  'EXT-recognition': { home_id: 'home', on: true, guests: false },
  'EXT-person-name': { home_id: 'home', person_id: 'person_1', name: 'Dan' },
  'EXT-person-hide': { home_id: 'home', person_id: 'person_1', hidden: true },
  'EXT-person-merge': { home_id: 'home', person_id: 'person_1', into: 'person_2' },
  'EXT-person-split': { home_id: 'home', person_id: 'person_1' },
  'EXT-person-different': { home_id: 'home', person_id: 'person_1', other_id: 'person_2', different: true },
  'EXT-people-forget': { home_id: 'home', person_ids: null },
  'EXT-set-live-layouts': { layouts: [] },
  'EXT-t3-list': { joined: true },
  'EXT-time-zone': { time_zone: 'Europe/Berlin', replace: true },
  'EXT-camera-order': { device_ids: ['device'] },
  'EXT-camera-remove': { device_id: 'device' },
  'EXT-camera-states': { device_id: 'device', begin_time: 0, end_time: 1 },
  'EXT-snapshot': { device_id: 'device' },
  'EXT-choose-method': { method_id: 'method', intent: 'intent_of_a_test_1' },
  'EXT-remove-method': { method_id: 'method', intent: 'intent_of_a_test_2' },
  'EXT-leaving': { subscription_id: 'plan' },
  'EXT-pause': { subscription_id: 'plan', revision: 0, months: 1, intent: 'intent_of_a_test_6' },
  'EXT-resume': { subscription_id: 'plan', revision: 0, intent: 'intent_of_a_test_7' },
  'EXT-pay-open': { subscription_id: 'plan', revision: 0, method_id: 'method', intent: 'intent_of_a_test_8' },
  'EXT-extend': { subscription_id: 'plan', intent: 'intent_of_a_test_9' },
  'EXT-unbind': { subscription_id: 'plan', device_macs: ['device'], intent: 'intent_of_a_test_3' },
  'EXT-move-licence': { subscription_id: 'plan', from: 'device', to: 'other', intent: 'intent_of_a_test_4' },
  'EXT-set-auto-cover': { on: true, intent: 'intent_of_a_test_5' },
  'EXT-share': { device_id: 'device', email: 'guest@example.com', role: 2 },
  'EXT-plan-truth': {},
  'EXT-messages': {},
  'EXT-see-messages': { message_ids: ['msg_1'] },
  'EXT-take': { zone: 'UTC' },
  'EXT-unshare': { device_id: 'device', email: 'guest@example.com' },
}
