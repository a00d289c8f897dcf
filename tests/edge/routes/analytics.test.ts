import { BaseTransport, RemoteConfigClient } from '@amplitude/analytics-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { BODY_MAX } from '../../../contract/wire/body-limits.ts'
import { CAPTURED, MEASURE_KEY } from '../../../contract/telemetry/analytics-events.ts'
import { analyticsBatch, ANALYTICS_EVENTS } from '../../../contract/telemetry/telemetry-calls.ts'
import { SESSION_COOKIE } from '../../../contract/wire/constants.ts'
import { app } from '../../../functions/app.ts'
import { SINK_TIMEOUT_MS } from '../../../functions/lib/telemetry/send-to-sink.ts'
import { openEdge, signIn, type EdgeStage } from '../../support/edge.ts'
import { makeBatch, countKept, keptEvent, keptEvents, rawEvent, sendBatch, makeUuid } from '../../support/measured.ts'
import { patience } from '../../support/patience.ts'
import type { Visitor } from '../../support/visitor.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

const NOW = Date.now() - DAY_MS
const EXPERIMENT = 'short-prices'

let edge: EdgeStage
let visitor: Visitor
beforeAll(async () => {
  edge = await openEdge({ EXPERIMENT })
})
beforeEach(() => {
  visitor = edge.visitor()
  edge.proxy.heal()
})
afterAll(() => edge.close())

const handedOn = () => edge.proxy.seen.filter(({ path }) => path === analyticsBatch.path)
const keptWith = async (...ids: number[]) =>
  (await keptEvents(edge.stage)).filter(({ id }) => ids.some((n) => id.startsWith(makeUuid(n))))

/**
 * Sends a batch until the provider has stored event `n`. On a busy machine a batch can exceed the time limit of the sink
 * and is lost. The next attempt starts after that limit, so that nothing is under way when this returns.
 */
const sendUntilStored = (batch: ReturnType<typeof makeBatch>, n: number) =>
  vi.waitFor(async () => {
    expect((await sendBatch(visitor, batch)).status).toBe(200)
    const arrival = { timeout: SINK_TIMEOUT_MS + 1000, interval: 20 }
    await vi.waitFor(async () => expect(await keptWith(n)).toHaveLength(1), arrival)
  }, patience)

describe('a batch of the analytics library', () => {
  test('CALL-67 ANALYTICS-08 is stored by the provider and gets the response that the library expects', async () => {
    await signIn(visitor)
    const { user_id: user } = (await (await visitor.get('/api/auth/me')).json()) as { user_id: string }
    const rawEvents = [rawEvent(1, NOW, { user_id: user }), rawEvent(2, NOW, { user_id: undefined })]
    const answer = await sendBatch(visitor, makeBatch(...rawEvents, rawEvent(3, NOW, { user_id: 'user_1a' })))
    const body = (await answer.json()) as Record<string, unknown>
    expect([answer.status, body]).toEqual([200, { code: 200 }])
    expect(new BaseTransport().buildResponse(body)).toMatchObject({ status: 'success', statusCode: 200 })
    await vi.waitFor(async () => {
      expect(await keptWith(1, 2, 3)).toEqual([
        keptEvent(1, NOW, { user }),
        keptEvent(2, NOW, { user: '' }),
        keptEvent(3, NOW, { user: '' }),
      ])
    }, patience)
    // Events sent without the account's session are stored without a user.
    await sendBatch(edge.visitor(), makeBatch(rawEvent(4, NOW, { user_id: user })))
    await vi.waitFor(async () => expect(await keptWith(4)).toEqual([keptEvent(4, NOW, { user: '' })]), patience)
  })

  test('is stored without a user if sessions are unreachable', async () => {
    await signIn(visitor)
    const SESSIONS = {
      idFromName: (name: string) => name,
      get: () => ({ read: () => Promise.reject(new Error('lost')) }),
    }
    const env = { ...edge.stage.env, SESSIONS }
    const tasks: Promise<unknown>[] = []
    const context = {
      waitUntil: (task: Promise<unknown>) => void tasks.push(task),
      passThroughOnException() {},
      props: {},
    }
    const cookie = `${SESSION_COOKIE}=${visitor.cookie(SESSION_COOKIE)}`
    const body = JSON.stringify(makeBatch(rawEvent(5, NOW)))
    const headers = { cookie, origin: edge.portal, 'sec-fetch-site': 'same-origin' }
    expect((await app.request(analyticsBatch.path, { method: 'POST', body, headers }, env, context)).status).toBe(200)
    await Promise.all(tasks)
    expect(await keptWith(5)).toEqual([keptEvent(5, NOW, { user: '' })])
  })

  test('of Web Vitals only is stored completely, although each event becomes five', async () => {
    const names = ['FCP', 'LCP', 'CLS', 'INP', 'TTFB'].map((name) => [`[Amplitude] ${name}`, { value: 1 }])
    const event_properties: unknown = Object.fromEntries(names)
    const events = Array.from({ length: 500 }, (_, n) =>
      rawEvent(200_000 + n, NOW, { event_type: CAPTURED.webVitals, event_properties }),
    )
    expect((await sendBatch(visitor, makeBatch(...events))).status).toBe(200)
    const ids = new Set(events.map(({ insert_id }) => insert_id))
    const countStored = async () =>
      (await keptEvents(edge.stage)).filter(({ id }) => ids.has(id.split(':')[0] ?? '')).length
    await vi.waitFor(async () => expect(await countStored()).toBe(2500), patience)
  })

  test('from a browser whose clock is ahead keeps one session', async () => {
    const session = Date.now() + 300_000
    for (const n of [61, 62]) await sendBatch(visitor, makeBatch(rawEvent(n, session + n, { session_id: session })))
    await vi.waitFor(async () => {
      expect((await keptWith(61, 62)).map((event) => event.session)).toEqual([session, session])
    }, patience)
  })

  test('is also accepted as JSON, and a repeated event counts once', async () => {
    const json = { 'content-type': 'application/json' }
    await sendBatch(visitor, makeBatch(rawEvent(11, NOW)), json)
    await sendBatch(visitor, makeBatch(rawEvent(11, NOW), rawEvent(12, NOW)), json)
    await vi.waitFor(async () => expect(await keptWith(12)).toHaveLength(1), patience)
    await vi.waitFor(async () => expect(await keptWith(11)).toHaveLength(1), patience)
  })

  test('is stored with the library’s automatic events: one per metric, calls by URL pattern', async () => {
    const vitals = {
      '[Amplitude] LCP': { value: 812.5, rating: 'good', id: 'v5-1' },
      '[Amplitude] CLS': { value: 0.3 },
    }
    const call = {
      '[Amplitude] URL': 'https://portal.example/api/p/web-backend/api/v2/subscriptions/7f3a?token=x',
      '[Amplitude] Request Method': 'POST',
      '[Amplitude] Status Code': 503,
      '[Amplitude] Duration': 41,
    }
    const rawEvents = [
      rawEvent(21, NOW, { event_type: CAPTURED.webVitals, event_properties: { ...vitals, route: '/live' } }),
      rawEvent(22, NOW, { event_type: CAPTURED.networkRequest, event_properties: call }),
      rawEvent(23, NOW, {
        event_type: CAPTURED.exposure,
        event_properties: { flag_key: EXPERIMENT, variant: 'control' },
      }),
    ]
    expect((await sendBatch(visitor, makeBatch(...rawEvents))).status).toBe(200)
    await vi.waitFor(async () => expect(await keptWith(21, 22, 23)).toHaveLength(4), patience)
    const stored = await keptWith(21, 22, 23)
    expect(stored.map(({ id, route, props }) => [id, route, props])).toEqual([
      [`${makeUuid(21)}:LCP`, '/live', { metric: 'LCP', value: 812.5, rating: 'good' }],
      [`${makeUuid(21)}:CLS`, '/live', { metric: 'CLS', value: 0.3 }],
      [makeUuid(22), '', { method: 'POST', status: 503, ms: 41, target: '/api/v2/subscriptions/{uuid}' }],
      [makeUuid(23), '', { flag: EXPERIMENT, variant: 'control' }],
    ])
  })

  test('ten thousand events in batches are counted exactly', async () => {
    const batch = (from: number) =>
      makeBatch(
        ...Array.from({ length: 500 }, (_, n) => rawEvent(from + n, NOW, { event_type: ANALYTICS_EVENTS.bought })),
      )
    for (let sentCount = 0; sentCount < 10_000;) {
      for (const end = sentCount + 2500; sentCount < end; sentCount += 500)
        expect((await sendBatch(visitor, batch(100_000 + sentCount))).status).toBe(200)
      // The edge drops a batch that the sink does not accept within 4 s, so let the sink catch up every 2500 events.
      await vi.waitFor(
        async () => expect(await countKept(edge.stage, ANALYTICS_EVENTS.bought)).toBe(sentCount),
        patience,
      )
    }
    expect(await countKept(edge.stage, ANALYTICS_EVENTS.bought)).toBe(10_000)
  })
})

describe('personal data in an analytics batch', () => {
  const CANARIES = [
    'owner@example.com',
    'Garage by Ann',
    'garage',
    'CANARY-COUPON-10',
    'ev_canary',
    'eyJhbGciOi.canary.x',
  ]
  const LEAKS = ['/events/ev_canary?name=garage#CANARY-COUPON-10', ...CANARIES]
  const FIELDS = [
    'user_id',
    'app_version',
    'session_id',
    'event_type',
    'insert_id',
    'device_id',
    'time',
    'platform',
    'ip',
  ]
  const NAMES = ['ms', 'metric', 'value', 'rating', 'status', 'method', 'target', 'flag', 'variant', 'plan', 'period']
  const LIBRARY = [
    '[Amplitude] Page URL',
    '[Amplitude] Page Path',
    '[Amplitude] Page Title',
    '[Amplitude] Element Text',
  ]
  const PROPS = [...NAMES, ...LIBRARY, '[Amplitude] URL', '[Amplitude] LCP', 'route', 'flag_key', 'anything']

  test('reaches the provider in no field, event type or property', async () => {
    const events = LEAKS.flatMap((leak, at) => [
      ...FIELDS.map((field, n) => rawEvent(1000 + at * 100 + n, NOW, { [field]: leak })),
      ...PROPS.map((name, n) =>
        rawEvent(1050 + at * 100 + n, NOW, { event_properties: { [name]: leak, [leak]: leak } }),
      ),
      rawEvent(1090 + at * 100, NOW, { user_properties: { $set: { name: leak } }, groups: { [leak]: [leak] } }),
    ])
    await sendUntilStored(makeBatch(...events, rawEvent(31, NOW)), 31)
    const sent = handedOn().map(({ body }) => body)
    const stored = JSON.stringify(await keptEvents(edge.stage))
    for (const canary of CANARIES) for (const text of [...sent, stored]) expect(text).not.toContain(canary)
    expect(stored).toContain(makeUuid(1050))
  })

  test('is not retained longer with a clock ahead, nor counted with one far behind', async () => {
    const events = [rawEvent(41, Date.now() + 400 * DAY_MS), rawEvent(42, NOW - 91 * DAY_MS), rawEvent(43, NOW)]
    await sendUntilStored(makeBatch(...events), 43)
    const [ahead, ...rest] = await keptWith(41, 42)
    expect(rest).toEqual([])
    expect(ahead?.at).toBeLessThanOrEqual(Date.now())
  })
})

describe('an analytics batch', () => {
  test.each([
    ['of another site', { 'sec-fetch-site': 'cross-site' }],
    ['with a foreign origin', { origin: 'https://evil.test' }],
  ])('%s is rejected', async (_, change) => {
    expect((await sendBatch(visitor, makeBatch(rawEvent(51, NOW)), change)).status).toBe(403)
    expect(handedOn()).toEqual([])
  })

  test.each([
    ['is no JSON', '{{', 400],
    ['has another shape', { api_key: MEASURE_KEY, events: {} }, 400],
    ['has the key of another portal', { api_key: 'another', events: [rawEvent(52, NOW)] }, 401],
    ['is too large', { ...makeBatch(), more: 'x'.repeat(BODY_MAX.events) }, 413],
    ['has too many events', makeBatch(...Array.from({ length: 501 }, () => null)), 413],
  ])('that %s is rejected, and the library drops or halves it', async (_, batch, status) => {
    const answer = await sendBatch(visitor, batch)
    const body = (await answer.json()) as Record<string, unknown>
    expect([answer.status, body['code']]).toEqual([status, status])
    const expectedStatus = status === 413 ? 'payload_too_large' : 'invalid'
    expect(new BaseTransport().buildResponse(body)?.status).toBe(expectedStatus)
    expect(handedOn()).toEqual([])
  })

  test('without a valid event gets 200 and is discarded', async () => {
    const bad = [
      null,
      7,
      'text',
      [],
      {},
      rawEvent(53, NOW, { event_type: 'My Own' }),
      rawEvent(54, NOW, { insert_id: 'x' }),
    ]
    expect((await sendBatch(visitor, makeBatch(...bad))).status).toBe(200)
    expect((await sendBatch(visitor, makeBatch())).status).toBe(200)
    expect(handedOn()).toEqual([])
  })

  test.each([
    ['is down', { kind: 'reset' }],
    ['does not answer', { kind: 'hang' }],
    ['answers nonsense', { kind: 'answer', status: 500, body: 'x' }],
  ] as const)('gets an immediate response if the provider %s, and other calls still work', async (_, fault) => {
    edge.proxy.fail(analyticsBatch.path, fault)
    expect((await sendBatch(visitor, makeBatch(rawEvent(55, NOW)))).status).toBe(200)
    await vi.waitFor(() => expect(handedOn()).toHaveLength(1), patience)
    expect((await visitor.get('/api/auth/me')).status).toBe(401)
  })
})

test('CALL-68 ANALYTICS-09 the analytics library fetches and reads its remote configuration', async () => {
  const errors: unknown[] = []
  const logger = { error: (e: unknown) => errors.push(e), warn() {}, log() {}, debug() {}, enable() {}, disable() {} }
  const none = { fetchConfig: () => Promise.resolve({ remoteConfig: null, lastFetch: new Date(0) }) }
  const storage = { ...none, setConfig: () => Promise.resolve(true) }
  const loadConfig = (key: string) =>
    new Promise((resolve) => {
      const url = `${edge.portal}/t/config`
      new RemoteConfigClient(key, logger, 'US', url, undefined, undefined, storage).subscribe(
        'configs.analyticsSDK.browserSDK',
        'all',
        (config, source) => source === 'remote' && resolve(config),
      )
    })
  expect([await loadConfig(MEASURE_KEY), errors]).toEqual([{}, []])
  expect(await loadConfig('another')).toBeNull()
  expect(errors).toHaveLength(1)
})
