import { BaseTransport, RemoteConfigClient } from '@amplitude/analytics-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { AUTOMATIC_EVENTS, ANALYTICS_API_KEY } from '../../../contract/telemetry/analytics-events.ts'
import { analyticsBatch, ANALYTICS_EVENTS } from '../../../contract/telemetry/telemetry-calls.ts'
import { SESSION_COOKIE, toCookieName } from '../../../contract/wire/cookies.ts'
import { app } from '../../../functions/app.ts'
import { SINK_TIMEOUT_MS } from '../../../functions/lib/telemetry/send-to-sink.ts'
import { openEdge, signInThroughEdge, type EdgeDeployment } from '../../support/edge.ts'
import {
  createBatch,
  countStoredEvents,
  createStoredEvent,
  listStoredEvents,
  createRawEvent,
  sendBatch,
  createUuid,
} from '../../support/measured.ts'
import { WAIT_OPTIONS } from '../../support/patience.ts'
import type { Visitor } from '../../support/visitor.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

const YESTERDAY = Date.now() - DAY_MS
const EXPERIMENT = 'short-prices'

let edge: EdgeDeployment
let visitor: Visitor
beforeAll(async () => {
  edge = await openEdge({ EXPERIMENT })
})
beforeEach(() => {
  visitor = edge.visitor()
  edge.proxy.clearFaults()
})
afterAll(() => edge.close())

const listForwardedBatches = () => edge.proxy.requests.filter(({ path }) => path === analyticsBatch.path)
const readStoredEvents = async (...ids: number[]) =>
  (await listStoredEvents(edge.deployment)).filter(({ id }) => ids.some((n) => id.startsWith(createUuid(n))))

/**
 * Sends a batch until the provider has stored event `n`, because a busy machine loses batches that exceed the sink
 * timeout. Retries only after that timeout, so no batch is pending on return.
 */
const sendUntilStored = (batch: ReturnType<typeof createBatch>, n: number) =>
  vi.waitFor(async () => {
    expect((await sendBatch(visitor, batch)).status).toBe(200)
    const arrival = { timeout: SINK_TIMEOUT_MS + 1000, interval: 20 }
    await vi.waitFor(async () => expect(await readStoredEvents(n)).toHaveLength(1), arrival)
  }, WAIT_OPTIONS)

describe('a batch of the analytics library', () => {
  test('CALL-67 ANALYTICS-08 is stored by the provider and gets the response that the library expects', async () => {
    await signInThroughEdge(visitor)
    const { user_id: user } = (await (await visitor.get('/api/auth/me')).json()) as { user_id: string }
    const rawEvents = [
      createRawEvent(1, YESTERDAY, { user_id: user }),
      createRawEvent(2, YESTERDAY, { user_id: undefined }),
    ]
    const answer = await sendBatch(
      visitor,
      createBatch(...rawEvents, createRawEvent(3, YESTERDAY, { user_id: 'user_1a' })),
    )
    const body = (await answer.json()) as Record<string, unknown>
    expect([answer.status, body]).toEqual([200, { code: 200 }])
    expect(new BaseTransport().buildResponse(body)).toMatchObject({ status: 'success', statusCode: 200 })
    await vi.waitFor(async () => {
      expect(await readStoredEvents(1, 2, 3)).toEqual([
        createStoredEvent(1, YESTERDAY, { user }),
        createStoredEvent(2, YESTERDAY, { user: '' }),
        createStoredEvent(3, YESTERDAY, { user: '' }),
      ])
    }, WAIT_OPTIONS)
    // Events sent without the account's session are stored without a user.
    await sendBatch(edge.visitor(), createBatch(createRawEvent(4, YESTERDAY, { user_id: user })))
    await vi.waitFor(
      async () => expect(await readStoredEvents(4)).toEqual([createStoredEvent(4, YESTERDAY, { user: '' })]),
      WAIT_OPTIONS,
    )
  })

  test('is stored without a user if sessions are unreachable', async () => {
    await signInThroughEdge(visitor)
    const SESSIONS = {
      idFromName: (name: string) => name,
      get: () => ({ read: () => Promise.reject(new Error('lost')) }),
    }
    const env = { ...edge.deployment.env, SESSIONS }
    const tasks: Promise<unknown>[] = []
    const context = {
      waitUntil: (task: Promise<unknown>) => void tasks.push(task),
      passThroughOnException() {},
      props: {},
    }
    const cookie = `${toCookieName(SESSION_COOKIE, edge.portalOrigin)}=${visitor.sessionCookie}`
    const body = JSON.stringify(createBatch(createRawEvent(5, YESTERDAY)))
    const headers = { cookie, origin: edge.portalOrigin, 'sec-fetch-site': 'same-origin' }
    expect((await app.request(analyticsBatch.path, { method: 'POST', body, headers }, env, context)).status).toBe(200)
    await Promise.all(tasks)
    expect(await readStoredEvents(5)).toEqual([createStoredEvent(5, YESTERDAY, { user: '' })])
  })

  test('of Web Vitals only is stored completely, although each event becomes five', async () => {
    const names = ['FCP', 'LCP', 'CLS', 'INP', 'TTFB'].map((name) => [`[Amplitude] ${name}`, { value: 1 }])
    const event_properties: unknown = Object.fromEntries(names)
    const events = Array.from({ length: 500 }, (_, n) =>
      createRawEvent(200_000 + n, YESTERDAY, { event_type: AUTOMATIC_EVENTS.webVitals, event_properties }),
    )
    expect((await sendBatch(visitor, createBatch(...events))).status).toBe(200)
    const ids = new Set(events.map(({ insert_id }) => insert_id))
    const countStored = async () =>
      (await listStoredEvents(edge.deployment)).filter(({ id }) => ids.has(id.split(':')[0] ?? '')).length
    await vi.waitFor(async () => expect(await countStored()).toBe(2500), WAIT_OPTIONS)
  })

  test('from a browser whose clock is ahead keeps one session', async () => {
    const session = Date.now() + 300_000
    for (const n of [61, 62])
      await sendBatch(visitor, createBatch(createRawEvent(n, session + n, { session_id: session })))
    await vi.waitFor(async () => {
      expect((await readStoredEvents(61, 62)).map((event) => event.session)).toEqual([session, session])
    }, WAIT_OPTIONS)
  })

  test('is also accepted as JSON, and a repeated event counts once', async () => {
    const json = { 'content-type': 'application/json' }
    await sendBatch(visitor, createBatch(createRawEvent(11, YESTERDAY)), json)
    await sendBatch(visitor, createBatch(createRawEvent(11, YESTERDAY), createRawEvent(12, YESTERDAY)), json)
    await vi.waitFor(async () => expect(await readStoredEvents(12)).toHaveLength(1), WAIT_OPTIONS)
    await vi.waitFor(async () => expect(await readStoredEvents(11)).toHaveLength(1), WAIT_OPTIONS)
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
      createRawEvent(21, YESTERDAY, {
        event_type: AUTOMATIC_EVENTS.webVitals,
        event_properties: { ...vitals, route: '/live' },
      }),
      createRawEvent(22, YESTERDAY, { event_type: AUTOMATIC_EVENTS.networkRequest, event_properties: call }),
      createRawEvent(23, YESTERDAY, {
        event_type: AUTOMATIC_EVENTS.exposure,
        event_properties: { flag_key: EXPERIMENT, variant: 'control' },
      }),
    ]
    expect((await sendBatch(visitor, createBatch(...rawEvents))).status).toBe(200)
    await vi.waitFor(async () => expect(await readStoredEvents(21, 22, 23)).toHaveLength(4), WAIT_OPTIONS)
    const stored = await readStoredEvents(21, 22, 23)
    expect(stored.map(({ id, route, props }) => [id, route, props])).toEqual([
      [`${createUuid(21)}:CLS`, '/live', { metric: 'CLS', value: 0.3 }],
      [`${createUuid(21)}:LCP`, '/live', { metric: 'LCP', value: 812.5, rating: 'good' }],
      [createUuid(22), '', { method: 'POST', status: 503, ms: 41, target: '/api/v2/subscriptions/{uuid}' }],
      [createUuid(23), '', { flag: EXPERIMENT, variant: 'control' }],
    ])
  })

  test('ten thousand events in batches are counted exactly', async () => {
    const batch = (from: number) =>
      createBatch(
        ...Array.from({ length: 500 }, (_, n) =>
          createRawEvent(from + n, YESTERDAY, { event_type: ANALYTICS_EVENTS.bought }),
        ),
      )
    for (let sentCount = 0; sentCount < 10_000;) {
      for (const end = sentCount + 2500; sentCount < end; sentCount += 500)
        expect((await sendBatch(visitor, batch(100_000 + sentCount))).status).toBe(200)
      // The edge drops a batch that the sink does not accept within 4 s, so let the sink catch up every 2500 events.
      await vi.waitFor(
        async () => expect(await countStoredEvents(edge.deployment, ANALYTICS_EVENTS.bought)).toBe(sentCount),
        WAIT_OPTIONS,
      )
    }
    expect(await countStoredEvents(edge.deployment, ANALYTICS_EVENTS.bought)).toBe(10_000)
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
  const EVENT_PROPS = [
    'ms',
    'metric',
    'value',
    'rating',
    'status',
    'method',
    'target',
    'flag',
    'variant',
    'plan',
    'period',
  ]
  const LIBRARY_PROPS = [
    '[Amplitude] Page URL',
    '[Amplitude] Page Path',
    '[Amplitude] Page Title',
    '[Amplitude] Element Text',
  ]
  const PROPS = [
    ...EVENT_PROPS,
    ...LIBRARY_PROPS,
    '[Amplitude] URL',
    '[Amplitude] LCP',
    'route',
    'flag_key',
    'anything',
  ]

  test('reaches the provider in no field, event type or property', async () => {
    const events = LEAKS.flatMap((leak, at) => [
      ...FIELDS.map((field, n) => createRawEvent(1000 + at * 100 + n, YESTERDAY, { [field]: leak })),
      ...PROPS.map((name, n) =>
        createRawEvent(1050 + at * 100 + n, YESTERDAY, { event_properties: { [name]: leak, [leak]: leak } }),
      ),
      createRawEvent(1090 + at * 100, YESTERDAY, {
        user_properties: { $set: { name: leak } },
        groups: { [leak]: [leak] },
      }),
    ])
    await sendUntilStored(createBatch(...events, createRawEvent(31, YESTERDAY)), 31)
    const sent = listForwardedBatches().map(({ body }) => body)
    const stored = JSON.stringify(await listStoredEvents(edge.deployment))
    for (const canary of CANARIES) for (const text of [...sent, stored]) expect(text).not.toContain(canary)
    expect(stored).toContain(createUuid(1050))
  })

  test('is not retained longer with a clock ahead, nor counted with one far behind', async () => {
    const events = [
      createRawEvent(41, Date.now() + 400 * DAY_MS),
      createRawEvent(42, YESTERDAY - 91 * DAY_MS),
      createRawEvent(43, YESTERDAY),
    ]
    await sendUntilStored(createBatch(...events), 43)
    const [ahead, ...rest] = await readStoredEvents(41, 42)
    expect(rest).toEqual([])
    expect(ahead?.at).toBeLessThanOrEqual(Date.now())
  })
})

test('CALL-68 ANALYTICS-09 the analytics library fetches and reads its remote configuration', async () => {
  const errors: unknown[] = []
  const logger = { error: (e: unknown) => errors.push(e), warn() {}, log() {}, debug() {}, enable() {}, disable() {} }
  const emptyStorage = { fetchConfig: () => Promise.resolve({ remoteConfig: null, lastFetch: new Date(0) }) }
  const storage = { ...emptyStorage, setConfig: () => Promise.resolve(true) }
  const loadConfig = (key: string) =>
    new Promise((resolve) => {
      const url = `${edge.portalOrigin}/t/config`
      new RemoteConfigClient(key, logger, 'US', url, undefined, undefined, storage).subscribe(
        'configs.analyticsSDK.browserSDK',
        'all',
        (config, source) => source === 'remote' && resolve(config),
      )
    })
  expect([await loadConfig(ANALYTICS_API_KEY), errors]).toEqual([{}, []])
  expect(await loadConfig('another')).toBeNull()
  expect(errors).toHaveLength(1)
})
