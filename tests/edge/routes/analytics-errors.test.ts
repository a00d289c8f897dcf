import { BaseTransport } from '@amplitude/analytics-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { BODY_BYTES_MAX } from '../../../contract/wire/body-limits.ts'
import { ANALYTICS_API_KEY } from '../../../contract/telemetry/analytics-events.ts'
import { analyticsBatch } from '../../../contract/telemetry/telemetry-calls.ts'
import { openEdge, type EdgeDeployment } from '../../support/edge.ts'
import { createBatch, createRawEvent, sendBatch } from '../../support/measured.ts'
import { WAIT_OPTIONS } from '../../support/patience.ts'
import type { Visitor } from '../../support/visitor.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

const YESTERDAY = Date.now() - DAY_MS

let edge: EdgeDeployment
let visitor: Visitor
beforeAll(async () => {
  edge = await openEdge()
})
beforeEach(() => {
  visitor = edge.visitor()
  edge.proxy.clearFaults()
})
afterAll(() => edge.close())

const listForwardedBatches = () => edge.proxy.requests.filter(({ path }) => path === analyticsBatch.path)

describe('an analytics batch', () => {
  test.each([
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['with a foreign origin', { origin: 'https://evil.test' }],
  ])('%s is rejected', async (_, change) => {
    expect((await sendBatch(visitor, createBatch(createRawEvent(51, YESTERDAY)), change)).status).toBe(403)
    expect(listForwardedBatches()).toEqual([])
  })

  test.each([
    ['is not JSON', '{{', 400],
    ['has a different shape', { api_key: ANALYTICS_API_KEY, events: {} }, 400],
    ['has the key of a different portal', { api_key: 'another', events: [createRawEvent(52, YESTERDAY)] }, 401],
    ['is too large', { ...createBatch(), more: 'x'.repeat(BODY_BYTES_MAX.events) }, 413],
    ['has too many events', createBatch(...Array.from({ length: 501 }, () => null)), 413],
  ])('that %s is rejected, and the library drops or halves it', async (_, batch, status) => {
    const answer = await sendBatch(visitor, batch)
    const body = (await answer.json()) as Record<string, unknown>
    expect([answer.status, body['code']]).toEqual([status, status])
    const expectedStatus = status === 413 ? 'payload_too_large' : 'invalid'
    expect(new BaseTransport().buildResponse(body)?.status).toBe(expectedStatus)
    expect(listForwardedBatches()).toEqual([])
  })

  test('without a valid event gets 200 and is discarded', async () => {
    const invalidEvents = [
      null,
      7,
      'text',
      [],
      {},
      createRawEvent(53, YESTERDAY, { event_type: 'My Own' }),
      createRawEvent(54, YESTERDAY, { insert_id: 'x' }),
    ]
    expect((await sendBatch(visitor, createBatch(...invalidEvents))).status).toBe(200)
    expect((await sendBatch(visitor, createBatch())).status).toBe(200)
    expect(listForwardedBatches()).toEqual([])
  })

  test.each([
    ['is down', { kind: 'reset' }],
    ['does not respond', { kind: 'hang' }],
    ['returns 500', { kind: 'answer', status: 500, body: 'x' }],
  ] as const)('gets an immediate response if the provider %s, and other calls still work', async (_, fault) => {
    edge.proxy.fail(analyticsBatch.path, fault)
    expect((await sendBatch(visitor, createBatch(createRawEvent(55, YESTERDAY)))).status).toBe(200)
    await vi.waitFor(() => expect(listForwardedBatches()).toHaveLength(1), WAIT_OPTIONS)
    expect((await visitor.get('/api/auth/me')).status).toBe(401)
  })
})
