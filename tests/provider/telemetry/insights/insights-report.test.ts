import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { ADMIN_PATHS } from '../../../../contract/operator/operator-calls.ts'
import { insightsResponse } from '../../../../contract/telemetry/insights-report.ts'
import { AUTOMATIC_EVENTS } from '../../../../contract/telemetry/analytics-events.ts'
import { ANALYTICS_EVENTS, type StoredAnalyticsEvent } from '../../../../contract/telemetry/telemetry-calls.ts'
import type { Env } from '../../../../provider/env.ts'
import { storeEvents } from '../../../../provider/telemetry/insights/insights-objects.ts'
import { buildEventReport } from '../../../../provider/telemetry/insights/merged-report.ts'
import { formatMetrics } from '../../../../provider/telemetry/insights/prometheus-metrics.ts'
import { openTestDeployment, type TestDeployment } from '../../../support/harness.ts'
import { createStoredEvent, createUuid, deleteStoredEvents, sendSignedBatch } from '../../../support/measured.ts'
import { HOUR_MS } from '../../../../contract/time-units.ts'

const NOW = Date.now()
const BATCH_SIZE = 500

let deployment: TestDeployment
let bindings: Env
beforeAll(async () => {
  deployment = await openTestDeployment()
  bindings = (await deployment.provider.getWorker().getEnv()) as Env
  const events = [...createBrowserEvents(), ...createExperimentEvents(), ...createOldEvents()]
  expect(events).toHaveLength(10_000)
  for (let from = 0; from < events.length; from += BATCH_SIZE)
    expect((await sendSignedBatch(deployment.env, { events: events.slice(from, from + BATCH_SIZE) })).status).toBe(200)
})
afterAll(() => deployment.close())

let eventNumber = 0
const buildEvent = (device: number, type: string, change: Partial<StoredAnalyticsEvent> = {}) => {
  const at = change.at ?? NOW - HOUR_MS
  return createStoredEvent(eventNumber++, at, {
    type,
    device: createUuid(device),
    user: '',
    props: {},
    session: NOW - 2 * HOUR_MS,
    ...change,
  })
}

/**
 * Creates events of 1,000 browsers. Each browser has two visits with one page view each, and one LCP value (4 to
 * 4,000 ms) in total. There are also 400 first frames (1 to 400 ms) and some sign-ins.
 */
function createBrowserEvents(): StoredAnalyticsEvent[] {
  const repeat = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n))
  return [
    ...repeat(1000, (n) => buildEvent(n, AUTOMATIC_EVENTS.pageViewed)),
    ...repeat(1000, (n) =>
      buildEvent(n, AUTOMATIC_EVENTS.pageViewed, { session: NOW - HOUR_MS, at: NOW - HOUR_MS / 2 }),
    ),
    ...repeat(1000, (n) =>
      buildEvent(n, AUTOMATIC_EVENTS.webVitals, {
        route: '/live',
        props: { metric: 'LCP', value: (n + 1) * 4, rating: 'good' },
      }),
    ),
    ...repeat(400, (n) => buildEvent(n, ANALYTICS_EVENTS.firstPicture, { props: { ms: n + 1 } })),
    ...repeat(500, (n) => buildEvent(n, ANALYTICS_EVENTS.signInBegun)),
    ...repeat(300, (n) => buildEvent(n, ANALYTICS_EVENTS.signedIn)),
    // The sign-in funnel excludes users who signed in but did not start a sign-in in the report period.
    ...repeat(100, (n) => buildEvent(900 + n, ANALYTICS_EVENTS.signedIn)),
  ]
}

/**
 * Creates events of an experiment that shows each variant to 200 users. After the exposure, 40 users of the control and
 * 60 of the treatment buy. One more user per variant buys before the exposure.
 */
function createExperimentEvents(): StoredAnalyticsEvent[] {
  return [0, 1].flatMap((arm) =>
    Array.from({ length: 200 }, (_, n) => {
      const user = `user_${arm}_${n}`
      const props = { flag: 'annual-first', variant: arm === 0 ? 'control' : 'treatment' }
      const seen = buildEvent(n, AUTOMATIC_EVENTS.exposure, { user, props, at: NOW - 2 * HOUR_MS })
      const isBuyer = n < (arm === 0 ? 40 : 60)
      const isEarly = n === 199
      const purchases =
        isBuyer || isEarly
          ? [buildEvent(n, ANALYTICS_EVENTS.bought, { user, at: isEarly ? NOW - 3 * HOUR_MS : NOW - HOUR_MS })]
          : []
      return [seen, seen, ...purchases].filter((entry, at, all) => all.indexOf(entry) === at)
    }).flat(),
  )
}

/** Creates events from twenty days ago that bring the total to ten thousand. */
function createOldEvents(): StoredAnalyticsEvent[] {
  return Array.from({ length: 10_000 - 4300 - 502 }, (_, n) =>
    buildEvent(n % 7, ANALYTICS_EVENTS.priceShown, { at: NOW - 20 * 24 * HOUR_MS }),
  )
}

const fetchAsOperator = (path: string, key = deployment.env.ADMIN_KEY) =>
  fetch(deployment.env.PROVIDER_ORIGIN + path, { headers: { authorization: `Admin ${key}` } })
/**
 * Computes the report for the last `days` periods of 24 hours. The HTTP route counts whole UTC days, so its numbers
 * depend on the hour of the test.
 */
const computeReport = (days: number) =>
  buildEventReport(bindings, { from: NOW - days * 24 * HOUR_MS, to: NOW + 1 }, null)
const fetchReport = async (days: number) =>
  v.parse(insightsResponse, await (await fetchAsOperator(`${ADMIN_PATHS.insights}?days=${days}`)).json()).data

describe('the insights report of ten thousand events', () => {
  test('counts visits, browsers and pages exactly', async () => {
    const { visits, visitors, views } = await computeReport(1)
    expect({ visits, visitors, views }).toEqual({ visits: 2000, visitors: 1000, views: 2000 })
  })

  test('computes the 75th percentile of each metric and page by nearest rank', async () => {
    expect((await computeReport(1)).vitals).toEqual([
      { route: '/live', metric: 'LCP', count: 1000, p75: 3000, good: 625 / 1000 },
    ])
    expect((await computeReport(1)).first_picture).toEqual({ count: 400, p50: 200, p75: 300, p95: 380 })
  })

  test('counts, for each funnel step, the people who completed all steps up to it', async () => {
    const [signIn, buying] = (await computeReport(1)).funnels
    expect(signIn?.steps).toEqual([
      { name: ANALYTICS_EVENTS.signInBegun, people: 500, events: 500 },
      { name: ANALYTICS_EVENTS.signedIn, people: 300, events: 400 },
    ])
    expect(buying?.steps.map(({ people }) => people)).toEqual([0, 0, 0])
    expect(buying?.steps.at(-1)?.events).toBe(102)
  })

  test('compares variants by the people who saw them and bought afterward, with a confidence interval', async () => {
    const [experiment] = (await computeReport(1)).experiments
    expect(experiment?.arms.map((arm) => [arm.variant, arm.seen, arm.bought])).toEqual([
      ['control', 200, 40],
      ['treatment', 200, 60],
    ])
    expect(experiment?.difference?.low).toBeCloseTo(0.0154, 3)
    expect(experiment?.difference?.high).toBeCloseTo(0.1829, 3)
  })

  test('covers only the requested days', async () => {
    expect((await computeReport(7)).funnels[1]?.steps[0]?.events).toBe(0)
    expect((await computeReport(30)).funnels[1]?.steps[0]).toEqual({
      name: ANALYTICS_EVENTS.priceShown,
      people: 7,
      events: 5198,
    })
  })
})

test('report days begin at midnight UTC, and today is one of them', async () => {
  for (const days of [1, 7]) {
    const { from, to, kept_since, left_out, elsewhere } = await fetchReport(days)
    expect(from).toBe(Math.floor((to - 1) / (24 * HOUR_MS)) * 24 * HOUR_MS - (days - 1) * 24 * HOUR_MS)
    expect({ kept_since, left_out, elsewhere }).toEqual({
      kept_since: NOW - 20 * 24 * HOUR_MS,
      left_out: [],
      elsewhere: { events: null, errors: null },
    })
  }
})

test('data reported on several days counts once in their combined report', async () => {
  await deleteStoredEvents(bindings)
  const buildEventDaysAgo = (ago: number, device: number, type: string, change: Partial<StoredAnalyticsEvent> = {}) =>
    buildEvent(device, type, { at: NOW - ago * 24 * HOUR_MS, session: NOW - 9 * 24 * HOUR_MS, ...change })
  const makeExposure = (ago: number, device: number, variant: string) =>
    buildEventDaysAgo(ago, device, AUTOMATIC_EVENTS.exposure, { props: { flag: 'f', variant } })
  const buildLcpEvent = (ago: number, value: number) =>
    buildEventDaysAgo(ago, 1, AUTOMATIC_EVENTS.webVitals, { props: { metric: 'LCP', value } })
  await storeEvents(
    bindings,
    [
      ...[3, 2, 1].flatMap((ago) => [
        buildEventDaysAgo(ago, 1, ANALYTICS_EVENTS.priceShown),
        makeExposure(ago, 1, 'control'),
        buildLcpEvent(ago, ago * 100),
      ]),
      makeExposure(3, 2, 'control'),
      makeExposure(1, 2, 'treatment'),
      makeExposure(2, 3, 'treatment'),
      buildEventDaysAgo(2, 1, ANALYTICS_EVENTS.payPressed),
      buildEventDaysAgo(1, 3, ANALYTICS_EVENTS.bought),
      buildEventDaysAgo(3, 3, ANALYTICS_EVENTS.bought),
    ],
    1,
    NOW,
  )
  const { visits, visitors, vitals, funnels, experiments } = await buildEventReport(
    bindings,
    { from: NOW - 80 * HOUR_MS, to: NOW },
    null,
  )
  expect({ visits, visitors }).toEqual({ visits: 3, visitors: 3 })
  expect(vitals).toEqual([{ route: '/account/services', metric: 'LCP', count: 3, p75: 300, good: 1 }])
  expect(funnels[1]?.steps.map(({ people, events }) => [people, events])).toEqual([
    [1, 3],
    [1, 1],
    [0, 2],
  ])
  expect(experiments[0]?.arms.map((arm) => [arm.variant, arm.seen, arm.bought])).toEqual([
    ['control', 1, 0],
    ['treatment', 1, 1],
  ])
})

test('a percentile is computed over more values than one read returns', async () => {
  await deleteStoredEvents(bindings)
  const values = Array.from({ length: 12_000 }, (_, n) => (n * 7919) % 12_000)
  for (let from = 0; from < values.length; from += BATCH_SIZE)
    await storeEvents(
      bindings,
      values
        .slice(from, from + BATCH_SIZE)
        .map((ms) => buildEvent(1, ANALYTICS_EVENTS.firstPicture, { props: { ms } })),
      1,
      NOW,
    )
  const { first_picture } = await buildEventReport(bindings, { from: NOW - 24 * HOUR_MS, to: NOW }, null)
  expect(first_picture).toEqual({ count: 12_000, p50: 5999, p75: 8999, p95: 11_399 })
})

test.each(['0', '91', '1.5', 'all', '-1'])('%s days are rejected with the valid range', async (days) => {
  const answer = await fetchAsOperator(`${ADMIN_PATHS.insights}?days=${days}`)
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('from 1 to 90')])
})

test.each([ADMIN_PATHS.insights, ADMIN_PATHS.metrics])('%s is available only to the operator', async (path) => {
  expect((await fetch(deployment.env.PROVIDER_ORIGIN + path)).status).toBe(401)
  expect((await fetchAsOperator(path, 'another-key')).status).toBe(401)
})

test('a dashboard reads the same text again, with every line in Prometheus format', async () => {
  const sendPageView = () =>
    sendSignedBatch(deployment.env, {
      events: [buildEvent(5000, AUTOMATIC_EVENTS.pageViewed, { at: Date.now() })],
    })
  // The first event of a day creates a new object.
  await sendPageView()
  const answer = await fetchAsOperator(ADMIN_PATHS.metrics)
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const text = await answer.text()
  // The text stays the same for a minute, regardless of new events.
  expect((await sendPageView()).status).toBe(200)
  expect(await (await fetchAsOperator(ADMIN_PATHS.metrics)).text()).toBe(text)
  for (const line of text.trimEnd().split('\n'))
    expect(line).toMatch(/^(# (HELP|TYPE) porchlight_\w+ .+|porchlight_\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? [\d.]+)$/)
})

test('the Prometheus text names each counted metric', () => {
  const text = formatMetrics({
    from: 0,
    to: 1,
    kept_since: 0,
    left_out: [],
    elsewhere: { events: null, errors: null },
    sample_rate: 1,
    visits: 2000,
    visitors: 1000,
    views: 2000,
    funnels: [],
    vitals: [{ route: '/live', metric: 'LCP', count: 1000, p75: 3000, good: 0.6 }],
    first_picture: { count: 0, p50: null, p75: null, p95: null },
    experiments: [
      {
        flag: 'annual-first',
        arms: [{ variant: 'treatment', seen: 200, bought: 60, share: 0.3, interval: { low: 0, high: 1 } }],
        difference: null,
      },
    ],
    errors: [{ build: 'a"b', kinds: 1, reports: 3, left_out: 0 }],
  })
  expect(text).toContain('porchlight_sample_rate 1\n')
  expect(text).toContain('porchlight_visits 2000\n')
  expect(text).toContain('porchlight_web_vital_p75{route="/live",metric="LCP"} 3\n')
  expect(text).toContain('porchlight_experiment_bought{flag="annual-first",variant="treatment"} 60\n')
  expect(text).toContain('porchlight_error_reports{build="a\\"b"} 3\n')
})
