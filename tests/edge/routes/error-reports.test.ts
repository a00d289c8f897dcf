import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createHmac } from 'node:crypto'
import { ADMIN_PATHS } from '../../../contract/operator/operator-calls.ts'
import { SIGNATURE_HEADER } from '../../../contract/environment.ts'
import {
  REPORT_AGE_MAX_MS,
  REPORT_TIME_HEADER,
  formatSignedReport,
} from '../../../contract/telemetry/telemetry-calls.ts'
import { buildErrorReport } from '../../../src/services/error-reports.ts'
import { openEdge, type EdgeDeployment } from '../../support/edge.ts'
import { openEnvelopeSink, type EnvelopeSink } from '../../support/envelope-sink.ts'
import { scaleTimeout } from '../../support/machine.ts'
import type { Visitor } from '../../support/visitor.ts'
import { findCatalogEntry } from '../../../contract/wire/error-codes.ts'

/** Values that a page may encounter but no report may contain. */
const CANARY_TEXTS = [
  'owner@example.com',
  'eyJhbGciOiJFUzI1NiJ9.canary.sig',
  'canary-in-the-address',
  'canary-in-the-trail',
  'canary-in-a-text',
  'CANARY-COUPON',
]
const [email = '', token = ''] = CANARY_TEXTS
/** A report with every canary, as if the page had not masked anything. */
const LEAKY_REPORT = {
  level: 'error',
  at: 1_790_000_000_000,
  page: 'https://portal.example/live?ticket=canary-in-the-address',
  errors: [
    {
      name: 'TypeError',
      message: `no name for ${email}, GET /api/p/x/replays/canary-in-a-text?device_id=canary-in-a-text 404`,
      frames: ['at draw (https://portal.example/_astro/a.js:3:14)'],
    },
    { name: 'Error', message: `Bearer ${token}`, frames: ['load@https://portal.example/_astro/b.js:1:2'] },
  ],
  trail: [
    { at: 1, text: 'https://portal.example/x?access_token=canary-in-the-trail' },
    { at: 2, text: 'GET /api/p/x/ws?ticket=canary-in-a-text 500' },
    { at: 3, text: 'POST https://portal.example/redeem/process/CANARY-COUPON 400' },
  ],
}

/** Opens an edge with the portal host 127.0.0.1: error reports are off if the host contains `local`. */
const openEdgeWithReports = (change: Record<string, string> = {}) =>
  openEdge((env) => Promise.resolve({ PORTAL_ORIGIN: env.PORTAL_ORIGIN.replace('localhost', '127.0.0.1'), ...change }))

/** Sends a report as `navigator.sendBeacon` sends text. */
const sendBeacon = (visitor: Visitor, body: unknown, change: Record<string, string> = {}) =>
  visitor.fetch('/t/errors', {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: {
      'content-type': 'text/plain;charset=UTF-8',
      origin: visitor.portalOrigin,
      'sec-fetch-site': 'same-origin',
      ...change,
    },
  })

describe('error report with an external collector', () => {
  let sink: EnvelopeSink
  let edge: EdgeDeployment
  beforeAll(async () => {
    sink = await openEnvelopeSink()
    edge = await openEdgeWithReports({ SENTRY_DSN: sink.dsn })
  })
  afterAll(async () => {
    await edge.close()
    await sink.close()
  })

  test('CALL-71 is sent as one masked event with its cause and location', async () => {
    expect((await sendBeacon(edge.visitor(), LEAKY_REPORT)).status).toBe(204)
    // Select this test's event: events of an earlier test may still arrive.
    const events = () => sink.events().filter(({ text }) => text.includes('no name for'))
    await expect.poll(events, { timeout: scaleTimeout(10_000) }).toHaveLength(1)
    const [sent] = events()
    for (const canary of CANARY_TEXTS) expect(sent?.text).not.toContain(canary)
    expect(sink.rejectedRequests).toEqual([])
    expect(sent?.event).toMatchObject({
      level: 'error',
      release: 'test',
      environment: 'beta',
      timestamp: 1_790_000_000,
      request: { url: 'https://portal.example/live?ticket=[masked]' },
      exception: {
        values: [
          {
            type: 'Error',
            value: '[masked]',
            stacktrace: { frames: [{ function: 'load', filename: 'https://portal.example/_astro/b.js', lineno: 1 }] },
          },
          {
            type: 'TypeError',
            value: 'no name for [masked], GET /[masked] 404',
            stacktrace: { frames: [{ function: 'draw', lineno: 3 }] },
          },
        ],
      },
    })
    expect(edge.proxy.count('/t/errors')).toBe(0)
  })
})

describe('error report', () => {
  let edge: EdgeDeployment
  let visitor: Visitor
  beforeAll(async () => {
    edge = await openEdgeWithReports()
  })
  beforeEach(() => {
    visitor = edge.visitor()
    edge.proxy.clearFaults()
  })
  afterAll(() => edge.close())

  test('names the build of its page, or the edge build if the page sends an invalid one', async () => {
    for (const [build, frame] of [
      ['abcdef0', 'at older'],
      ['<b>', 'at forged'],
    ] as const) {
      const errors = [{ name: 'Error', message: 'of a build', frames: [frame] }]
      expect((await sendBeacon(visitor, { ...LEAKY_REPORT, build, errors })).status).toBe(204)
    }
    const listBuilds = async () =>
      (await listErrors())
        .filter(({ report }) => JSON.stringify(report).includes('of a build'))
        .map(({ build }) => build)
    await expect
      .poll(async () => (await listBuilds()).toSorted(), { timeout: scaleTimeout(10_000) })
      .toEqual(['abcdef0', 'test'])
  })

  const listErrors = async (key = edge.deployment.env.ADMIN_KEY) => {
    const answer = await fetch(edge.proxy.origin + ADMIN_PATHS.errors, { headers: { authorization: `Admin ${key}` } })
    return ((await answer.json()) as { data: { errors: { count: number; build: string; report: unknown }[] } }).data
      .errors
  }

  test('is stored masked at the provider for the operator, once per error group', async () => {
    for (const id of [12, 13]) {
      const error = new Error(`no such event ${id} of ${email}`)
      const report = buildErrorReport(error, {
        at: id,
        page: `${edge.portalOrigin}/events?token=canary-in-the-address`,
        trail: [],
      })
      expect((await sendBeacon(visitor, { ...report, errors: [{ ...report?.errors[0], frames: [] }] })).status).toBe(
        204,
      )
      await expect.poll(() => edge.proxy.count('/t/errors'), { timeout: scaleTimeout(10_000) }).toBe(id - 11)
    }
    await expect.poll(async () => (await listErrors())[0]?.count, { timeout: scaleTimeout(10_000) }).toBe(2)
    const [row] = await listErrors()
    expect(row).toMatchObject({ count: 2, build: 'test', report: { level: 'error', at: 13 } })
    for (const canary of CANARY_TEXTS) expect(JSON.stringify(row)).not.toContain(canary)
  })

  test('is accepted by the provider from the edge only', async () => {
    const send = (headers: Record<string, string>) =>
      fetch(`${edge.deployment.env.PROVIDER_ORIGIN}/t/errors`, {
        method: 'POST',
        body: JSON.stringify(LEAKY_REPORT),
        headers: { 'app-version': 'test', ...headers },
      })
    const signHeaders = (build: string, at: number) => {
      const key = edge.deployment.env.MEDIA_KEY
      const content = formatSignedReport(JSON.stringify(LEAKY_REPORT), build, String(at))
      return {
        [REPORT_TIME_HEADER]: String(at),
        [SIGNATURE_HEADER]: createHmac('sha256', key).update(content).digest('hex'),
      }
    }
    const now = Date.now()
    expect((await send({})).status).toBe(403)
    expect((await send({ signature: '0'.repeat(64) })).status).toBe(403)
    expect((await send(signHeaders('another', now))).status).toBe(403)
    expect((await send({ ...signHeaders('test', now), [REPORT_TIME_HEADER]: String(now + 1) })).status).toBe(403)
    expect((await send(signHeaders('test', now - REPORT_AGE_MAX_MS - 60_000))).status).toBe(403)
    expect((await send(signHeaders('test', now))).status).toBe(200)
  })

  test.each([
    ['from another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['with a foreign origin', { origin: 'https://evil.test' }, 403],
  ])('%s is rejected', async (_, change, status) => {
    expect((await sendBeacon(visitor, LEAKY_REPORT, change)).status).toBe(status)
    expect(edge.proxy.requests).toEqual([])
  })

  test.each([
    ['is not JSON', '{{', 400],
    ['has a different shape', { level: 'error' }, 400],
    ['is larger than 64 KB', { ...LEAKY_REPORT, padding: 'x'.repeat(64 * 1024) }, 413],
    [
      'has too many frames',
      { ...LEAKY_REPORT, errors: [{ ...LEAKY_REPORT.errors[0], frames: Array(51).fill('at x') }] },
      400,
    ],
  ])('that %s is rejected', async (_, body, status) => {
    expect((await sendBeacon(visitor, body)).status).toBe(status)
    expect(edge.proxy.requests).toEqual([])
  })

  test('does not affect the visitor when the provider is down', async () => {
    edge.proxy.fail('/t/errors', { kind: 'reset' })
    expect((await sendBeacon(visitor, LEAKY_REPORT)).status).toBe(204)
    await expect.poll(() => edge.proxy.count('/t/errors'), { timeout: scaleTimeout(10_000) }).toBe(1)
    expect((await visitor.get('/api/auth/me')).status).toBe(401)
  })

  test('is limited to sixty per minute from one address', async () => {
    let answer = await sendBeacon(visitor, '{{')
    for (let n = 0; n < 130 && answer.status === 400; n++) answer = await sendBeacon(visitor, '{{')
    expect([answer.status, await answer.json()]).toEqual([429, { code: 429, msg: findCatalogEntry('429')?.text }])
    expect(answer.headers.get('retry-after')).toBe('60')
  })
})
