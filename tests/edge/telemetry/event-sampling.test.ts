import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  AUTOMATIC_EVENTS,
  SAMPLED_EVENT_TYPES,
  STORED_EVENT_TYPES,
} from '../../../contract/telemetry/analytics-events.ts'
import { isInSample } from '../../../contract/telemetry/browser-hash.ts'
import { ANALYTICS_EVENTS } from '../../../contract/telemetry/telemetry-calls.ts'
import type { Env } from '../../../provider/env.ts'
import { buildEventReport } from '../../../provider/telemetry/insights/merged-report.ts'
import { openEdge, type EdgeDeployment } from '../../support/edge.ts'
import { createBatch, createRawEvent, createUuid, listStoredEvents, sendBatch } from '../../support/measured.ts'
import { WAIT_OPTIONS } from '../../support/patience.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

const RATE = 4
const EXPERIMENT = 'short-prices'
const YESTERDAY = Date.now() - DAY_MS
/** Events that the sink never loses: purchases and other funnel steps, exposures and failed requests. */
const UNSAMPLED_TYPES = STORED_EVENT_TYPES.filter((type) => !SAMPLED_EVENT_TYPES.includes(type))
const BROWSERS = Array.from({ length: 24 }, (_, n) => createUuid(n))
const SAMPLE = BROWSERS.filter((device) => isInSample(device, RATE))

let edge: EdgeDeployment
beforeAll(async () => {
  edge = await openEdge({ EXPERIMENT, ANALYTICS_SAMPLE: String(RATE) })
})
afterAll(() => edge.close())

let eventNumber = 1000
const createEvent = (device_id: string, event_type: string) =>
  createRawEvent(eventNumber++, YESTERDAY, {
    event_type,
    device_id,
    event_properties: {
      route: '/live',
      ms: 100,
      flag_key: EXPERIMENT,
      variant: BROWSERS.indexOf(device_id) % 2 === 0 ? 'control' : 'treatment',
      '[Amplitude] LCP': { value: 1000, rating: 'good' },
    },
  })

test('purchases, exposures, errors and funnel steps are never sampled, and other events come from a sample of browsers', async () => {
  expect(UNSAMPLED_TYPES).toEqual(
    expect.arrayContaining([
      AUTOMATIC_EVENTS.exposure,
      AUTOMATIC_EVENTS.networkRequest,
      ...Object.values(ANALYTICS_EVENTS),
    ]),
  )
  expect([SAMPLE.length > 1, SAMPLE.length < BROWSERS.length / 2]).toEqual([true, true])
  const visitor = edge.visitor()
  for (const device of BROWSERS)
    await sendBatch(visitor, createBatch(...STORED_EVENT_TYPES.map((type) => createEvent(device, type))))
  const expectedCount = BROWSERS.length * UNSAMPLED_TYPES.length + SAMPLE.length * SAMPLED_EVENT_TYPES.length
  await vi.waitFor(
    async () => expect(await listStoredEvents(edge.deployment)).toHaveLength(expectedCount),
    WAIT_OPTIONS,
  )
  const stored = await listStoredEvents(edge.deployment)
  const listBrowsers = (type: string) => stored.filter((event) => event.type === type).map(({ device }) => device)
  for (const type of UNSAMPLED_TYPES) expect([type, listBrowsers(type).toSorted()]).toEqual([type, BROWSERS])
  for (const type of SAMPLED_EVENT_TYPES) expect([type, listBrowsers(type).toSorted()]).toEqual([type, SAMPLE])
})

test('a report states the rate, scales the sampled counts, and counts funnels and experiments in full', async () => {
  const bindings = (await edge.deployment.provider.getWorker().getEnv()) as Env
  const report = await buildEventReport(bindings, { from: YESTERDAY - DAY_MS, to: Date.now() }, null)
  const { sample_rate, visits, visitors, views, funnels, experiments, vitals } = report
  const estimate = SAMPLE.length * RATE
  expect({ sample_rate, visits, visitors, views }).toEqual({
    sample_rate: RATE,
    visits: estimate,
    visitors: estimate,
    views: estimate,
  })
  expect(vitals.map(({ count }) => count)).toEqual([SAMPLE.length])
  expect(funnels.flatMap(({ steps }) => steps.map(({ people }) => people))).toEqual(
    funnels.flatMap(({ steps }) => steps.map(() => BROWSERS.length)),
  )
  expect(experiments[0]?.arms.map((arm) => [arm.seen, arm.bought])).toEqual(
    ['control', 'treatment'].map(() => [BROWSERS.length / 2, BROWSERS.length / 2]),
  )
})
