import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { ADMIN_PATHS } from '../../contract/admin.ts'
import { insightsAnswer } from '../../contract/insights.ts'
import { CAPTURED } from '../../contract/measured.ts'
import { EVENTS, type MeasuredEvent } from '../../contract/telemetry.ts'
import { openStage, type Stage } from '../support/harness.ts'
import { handOn, keptEvent, uuidOf } from '../support/measured.ts'

const HOUR = 3_600_000
const NOW = Date.now()
const BATCH = 500

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
  const events = [...crowd(), ...buyers(), ...readers()]
  expect(events).toHaveLength(10_000)
  for (let from = 0; from < events.length; from += BATCH)
    expect((await handOn(stage.env, { events: events.slice(from, from + BATCH) })).status).toBe(200)
})
afterAll(() => stage.close())

let number = 0
const event = (device: number, type: string, change: Partial<MeasuredEvent> = {}) => {
  const at = change.at ?? NOW - HOUR
  return keptEvent(number++, at, {
    type,
    device: uuidOf(device),
    user: '',
    props: {},
    session: NOW - 2 * HOUR,
    ...change,
  })
}

/** 1,000 browsers with two visits each of one view, 1,000 metrics and 400 first pictures; the values are 1 to their count. */
function crowd(): MeasuredEvent[] {
  const each = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n))
  return [
    ...each(1000, (n) => event(n, CAPTURED.pageViewed)),
    ...each(1000, (n) => event(n, CAPTURED.pageViewed, { session: NOW - HOUR, at: NOW - HOUR / 2 })),
    ...each(1000, (n) =>
      event(n, CAPTURED.webVitals, { route: '/live', props: { metric: 'LCP', value: (n + 1) * 4, rating: 'good' } }),
    ),
    ...each(400, (n) => event(n, EVENTS.firstPicture, { props: { ms: n + 1 } })),
    ...each(500, (n) => event(n, EVENTS.signInBegun)),
    ...each(300, (n) => event(n, EVENTS.signedIn)),
    // Nobody who came in without a sign-in of this span is a part of its funnel.
    ...each(100, (n) => event(900 + n, EVENTS.signedIn)),
  ]
}

/** 200 people saw each variant; 40 of the control and 60 of the treatment bought afterwards. */
function buyers(): MeasuredEvent[] {
  return [0, 1].flatMap((arm) =>
    Array.from({ length: 200 }, (_, n) => {
      const user = `user_${arm}_${n}`
      const props = { flag: 'annual-first', variant: arm === 0 ? 'control' : 'treatment' }
      const seen = event(n, CAPTURED.exposure, { user, props, at: NOW - 2 * HOUR })
      const isBuyer = n < (arm === 0 ? 40 : 60)
      const isEarly = n === 199
      const bought =
        isBuyer || isEarly ? [event(n, EVENTS.bought, { user, at: isEarly ? NOW - 3 * HOUR : NOW - HOUR })] : []
      return [seen, seen, ...bought].filter((one, at, all) => all.indexOf(one) === at)
    }).flat(),
  )
}

/** What else comes to ten thousand, of twenty days ago. */
function readers(): MeasuredEvent[] {
  return Array.from({ length: 10_000 - 4300 - 502 }, (_, n) =>
    event(n % 7, EVENTS.priceShown, { at: NOW - 20 * 24 * HOUR }),
  )
}

const asOperator = (path: string, key = stage.env.ADMIN_KEY) =>
  fetch(stage.env.PROVIDER_ORIGIN + path, { headers: { authorization: `Admin ${key}` } })
const report = async (days: number) =>
  v.parse(insightsAnswer, await (await asOperator(`${ADMIN_PATHS.insights}?days=${days}`)).json()).data

describe('the report of ten thousand events', () => {
  test('counts visits, browsers and pages exactly', async () => {
    const { visits, visitors, views } = await report(1)
    expect({ visits, visitors, views }).toEqual({ visits: 2000, visitors: 1000, views: 2000 })
  })

  test('says the 75th percentile of each metric and page by nearest rank', async () => {
    expect((await report(1)).vitals).toEqual([
      { route: '/live', metric: 'LCP', count: 1000, p75: 3000, good: 625 / 1000 },
    ])
    expect((await report(1)).first_picture).toEqual({ count: 400, p50: 200, p75: 300, p95: 380 })
  })

  test('counts in a funnel whoever did all steps up to one', async () => {
    const [signIn, buying] = (await report(1)).funnels
    expect(signIn?.steps).toEqual([
      { name: EVENTS.signInBegun, people: 500, events: 500 },
      { name: EVENTS.signedIn, people: 300, events: 400 },
    ])
    expect(buying?.steps.map(({ people }) => people)).toEqual([0, 0, 0])
    expect(buying?.steps.at(-1)?.events).toBe(102)
  })

  test('compares variants by who saw them and bought afterwards, with an interval', async () => {
    const [experiment] = (await report(1)).experiments
    expect(experiment?.arms.map(({ variant, seen, bought }) => [variant, seen, bought])).toEqual([
      ['control', 200, 40],
      ['treatment', 200, 60],
    ])
    expect(experiment?.difference?.low).toBeCloseTo(0.0154, 3)
    expect(experiment?.difference?.high).toBeCloseTo(0.1829, 3)
  })

  test('is of the days that were asked about', async () => {
    expect((await report(7)).funnels[1]?.steps[0]?.events).toBe(0)
    expect((await report(30)).funnels[1]?.steps[0]).toEqual({ name: EVENTS.priceShown, people: 7, events: 5198 })
  })
})

test.each(['0', '91', '1.5', 'all', '-1'])('%s days are refused with what to give', async (days) => {
  const answer = await asOperator(`${ADMIN_PATHS.insights}?days=${days}`)
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('from 1 to 90')])
})

test.each([ADMIN_PATHS.insights, ADMIN_PATHS.metrics])('%s is for the operator alone', async (path) => {
  expect((await fetch(stage.env.PROVIDER_ORIGIN + path)).status).toBe(401)
  expect((await asOperator(path, 'another-key')).status).toBe(401)
})

test('a dashboard reads the same in Prometheus’ text, line by line', async () => {
  const answer = await asOperator(ADMIN_PATHS.metrics)
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const text = await answer.text()
  for (const line of text.trimEnd().split('\n'))
    expect(line).toMatch(/^(# (HELP|TYPE) porchlight_\w+ .+|porchlight_\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? [\d.]+)$/)
  expect(text).toContain('porchlight_visits 2000\n')
  expect(text).toContain('porchlight_web_vital_p75{route="/live",metric="LCP"} 3\n')
  expect(text).toContain('porchlight_experiment_bought{flag="annual-first",variant="treatment"} 60\n')
})
