import { afterAll, beforeAll, expect, test } from 'vitest'
import * as v from 'valibot'
import { ADMIN_PATHS } from '../../../../contract/operator/operator-calls.ts'
import { AUTOMATIC_EVENTS } from '../../../../contract/telemetry/analytics-events.ts'
import { getShard } from '../../../../contract/telemetry/browser-hash.ts'
import { INSIGHT_DAYS_MAX, insightsResponse } from '../../../../contract/telemetry/insights-report.ts'
import {
  ANALYTICS_EVENTS,
  VARIANTS,
  type StoredAnalyticsEvent,
} from '../../../../contract/telemetry/telemetry-calls.ts'
import { DAY_MS } from '../../../../contract/time-units.ts'
import { readBilledWork, readWorkUntilIdle, sumCounts } from '../../../support/billed-work/billed-work.ts'
import { addAccount, openNeighborhood, type Neighborhood } from '../../../support/home.ts'
import { computeFigures } from '../../../support/insights-oracle.ts'
import { createStoredEvent, createUuid, listDayObjects, sendSignedBatch } from '../../../support/measured.ts'

const NOW = Date.now()
const SHARDS = 8
/** Days of one batch: 80 objects, and fewer events than a batch may have. */
const DAYS_PER_BATCH = 10
/** Cloudflare allows 10,000 requests to objects and D1 per request, and allowed 1,000 before. */
const SUBREQUESTS_MAX = 1000
const USER = 'user_measured'

/** Three browsers of each shard. */
const browsers = Array.from({ length: SHARDS }, (_, shard) => {
  const inShard: string[] = []
  for (let n = 0; inShard.length < 3; n += 1) if (getShard(createUuid(n), SHARDS) === shard) inShard.push(createUuid(n))
  return inShard
}).flat()

let eventNumber = 0
/** Creates the events of one day: each browser views a page, and some see the experiment, buy, or report a metric. */
function createDayEvents(day: number): StoredAnalyticsEvent[] {
  const at = NOW - day * DAY_MS
  return browsers.flatMap((device, n) => {
    const build = (type: string, props: StoredAnalyticsEvent['props'] = {}) =>
      createStoredEvent((eventNumber += 1), at, {
        type,
        device,
        user: n % 5 === 0 ? USER : '',
        // A visit lasts a week, so that visits cross days.
        session: NOW - Math.floor(day / 7) * 7 * DAY_MS,
        props,
      })
    const view = build(AUTOMATIC_EVENTS.pageViewed)
    switch ((n + day) % 7) {
      case 0:
        return [view, build(AUTOMATIC_EVENTS.exposure, { flag: 'prices', variant: VARIANTS[n % 2] ?? '' })]
      case 1:
        return [view, build(ANALYTICS_EVENTS.bought)]
      case 2:
        return [view, build(AUTOMATIC_EVENTS.webVitals, { metric: 'LCP', value: 500 + n * 90 + day })]
      default:
        return [view]
    }
  })
}

let neighborhood: Neighborhood
const events: StoredAnalyticsEvent[] = []
beforeAll(async () => {
  neighborhood = await openNeighborhood({
    countsWork: true,
    change: () => ({ ANALYTICS_SHARDS: String(SHARDS) }),
  })
  await addAccount(neighborhood.bindings, 'measured')
  for (let from = 0; from < INSIGHT_DAYS_MAX; from += DAYS_PER_BATCH) {
    const batch = Array.from({ length: DAYS_PER_BATCH }, (_, n) => createDayEvents(from + n)).flat()
    expect((await sendSignedBatch(neighborhood.stage.env, { events: batch })).status).toBe(200)
    events.push(...batch)
  }
})
afterAll(() => neighborhood.close())

const requestAsOperator = (method: string, path: string) => {
  const { env } = neighborhood.stage
  return fetch(env.PROVIDER_ORIGIN + path, { method, headers: { authorization: `Admin ${env.ADMIN_KEY}` } })
}

/** Runs `act`, and returns its result and the number of its requests to objects and D1. */
async function countSubrequests<T>(
  act: () => Promise<T>,
): Promise<{ result: T; subrequests: number; byMethod: Record<string, number> }> {
  const { provider } = neighborhood.stage
  await readWorkUntilIdle(provider)
  const result = await act()
  const { objectRequests, d1Queries } = await readBilledWork(provider)
  return { result, subrequests: sumCounts(objectRequests) + d1Queries, byMethod: objectRequests }
}

test('a report over 90 days and 8 shards is exact, and stays within the subrequests of a request', async () => {
  expect(await listDayObjects(neighborhood.bindings)).toHaveLength(INSIGHT_DAYS_MAX * SHARDS)
  const { result, subrequests, byMethod } = await countSubrequests(async () =>
    v.parse(
      insightsResponse,
      await (await requestAsOperator('GET', `${ADMIN_PATHS.insights}?days=${INSIGHT_DAYS_MAX}`)).json(),
    ),
  )
  const { from, kept_since, left_out, errors: _errors, elsewhere: _elsewhere, to: _to, ...figures } = result.data
  // The first day has left the span if the test runs across midnight.
  const reported = events.filter(({ at }) => at >= from)
  expect(byMethod['Insights.countEvents']).toBeGreaterThanOrEqual((INSIGHT_DAYS_MAX - 1) * SHARDS)
  expect(figures).toEqual(computeFigures(reported, 1))
  expect([kept_since, left_out]).toEqual([Math.min(...events.map(({ at }) => at)), []])
  expect(subrequests).toBeLessThanOrEqual(SUBREQUESTS_MAX)
})

test('the deletion of an account reaches all of these objects, and stays within the subrequests of a request', async () => {
  const { result, subrequests } = await countSubrequests(() =>
    requestAsOperator('DELETE', `${ADMIN_PATHS.accounts}/measured@example.com`),
  )
  expect(result.status).toBe(200)
  expect(subrequests).toBeLessThanOrEqual(SUBREQUESTS_MAX)
  const report = v.parse(
    insightsResponse,
    await (await requestAsOperator('GET', `${ADMIN_PATHS.insights}?days=90`)).json(),
  )
  const others = events.filter(({ at, user }) => at >= report.data.from && user !== USER)
  expect(report.data).toMatchObject(computeFigures(others, 1))
})
