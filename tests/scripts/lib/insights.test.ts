import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { InsightsReport } from '../../../contract/telemetry/insights-report.ts'
import { INSIGHTS_CAVEAT } from '../../../contract/telemetry/insights-report.ts'
import { ANALYTICS_EVENTS } from '../../../contract/telemetry/telemetry-calls.ts'
import { renderInsightsPage } from '../../../scripts/lib/insights-page.ts'
import { servePage } from '../../../scripts/lib/insights-server.ts'
import { formatReportNotes, buildTables, formatTable, type InsightsTable } from '../../../scripts/lib/insights-text.ts'

const FULL_REPORT: InsightsReport = {
  from: 0,
  to: 1,
  sample_rate: 1,
  visits: 12,
  visitors: 7,
  views: 30,
  kept_since: 0,
  left_out: [],
  elsewhere: { events: null, errors: null },
  vitals: [{ route: '/live', metric: 'LCP', count: 9, p75: 4001, good: 0.5 }],
  first_picture: { count: 3, p50: 900, p75: 1234, p95: 2000 },
  funnels: [
    {
      name: 'Buying',
      steps: [
        { name: 'Price Shown', people: 8, events: 10 },
        { name: 'Bought', people: 2, events: 2 },
      ],
    },
  ],
  experiments: [
    {
      flag: 'annual-first',
      arms: [{ variant: 'control', seen: 10, bought: 1, share: 0.1, interval: { low: 0.018, high: 0.404 } }],
      difference: null,
    },
  ],
  errors: [{ build: '<b>abc</b>', kinds: 2, reports: 5, left_out: 1 }],
}
const EMPTY_REPORT: InsightsReport = {
  ...FULL_REPORT,
  visits: 0,
  visitors: 0,
  views: 0,
  vitals: [],
  funnels: [],
  experiments: [],
  errors: [],
  kept_since: null,
  first_picture: { count: 0, p50: null, p75: null, p95: null },
}

describe('insights report in the terminal', () => {
  test('shows a metric with its limits and the resulting rating', () => {
    const text = buildTables(FULL_REPORT).map(formatTable).join('\n\n')
    expect(text).toMatch(/\/live +LCP +9 +4001 ms +2500 ms +4000 ms +poor +50\.0%/)
    expect(text).toMatch(/Bought +2 +25\.0% +2/)
    expect(text).toMatch(/control +10 +1 +10\.0% +1\.8% to 40\.4%/)
    expect(text).toContain('1.23 s')
  })

  test('says when no data was reported', () => {
    const text = buildTables(EMPTY_REPORT).map(formatTable).join('\n')
    expect(text).toContain('Vitals by page: no data.')
    expect(text).toContain('First live video: no data.')
    expect(formatReportNotes(EMPTY_REPORT)).toEqual(['No events are stored.'])
  })

  test('says where other data is, since when data exists, and what was left out', () => {
    expect(formatReportNotes(FULL_REPORT)).toEqual([])
    const partly = {
      ...FULL_REPORT,
      kept_since: Date.UTC(2026, 10, 2, 3, 4),
      left_out: [{ day: '2026-11-02', events: 7 }],
      elsewhere: { events: 'events.example', errors: 'errors.example' },
    }
    expect(formatReportNotes(partly)).toEqual([
      'Events go to events.example (ANALYTICS_ENDPOINT). This report shows only earlier events.',
      'Events have been stored since 2026-11-02 03:04 UTC.',
      'Dropped 7 events from 2026-11-02 because of the daily limit.',
    ])
    expect(formatTable(buildTables({ ...partly, errors: [] }).at(-1) as InsightsTable)).toBe(
      'Errors by release: no data.\n  Errors go to errors.example (SENTRY_DSN).',
    )
  })

  test('states the sample rate, and marks the counts of a sample as estimates', () => {
    const sampled = { ...FULL_REPORT, sample_rate: 10, visits: 120, visitors: 70, views: 300 }
    expect(formatReportNotes(sampled)).toEqual(['Visits, browsers and page views are estimates from 1 in 10 browsers.'])
    const [visits, vitals, , funnel] = buildTables(sampled)
    expect([visits?.title, visits?.rows]).toEqual([
      'Visits (estimated from 1 in 10 browsers)',
      [['about 120', 'about 70', 'about 300']],
    ])
    expect(vitals?.title).toBe('Vitals by page (of 1 in 10 browsers)')
    expect(funnel).toEqual(buildTables(FULL_REPORT)[3])
  })

  test('notes next to a sign-in funnel what the funnel cannot measure', () => {
    const steps = [{ name: ANALYTICS_EVENTS.signInBegun, people: 1, events: 1 }]
    const [, , , signIn] = buildTables({ ...FULL_REPORT, funnels: [{ name: 'Logging in', steps }] })
    expect(signIn?.note).toContain('give up')
  })
})

describe('insights report as an HTML page', () => {
  const page = renderInsightsPage([{ days: 7, report: FULL_REPORT }], 0)

  test('is self-contained, escapes markup from a report, and explains what the numbers cover', () => {
    expect(page).toContain('Last 7 days, including today')
    expect(page).toContain(INSIGHTS_CAVEAT)
    expect(page).toContain('&lt;b&gt;abc&lt;/b&gt;')
    expect(page).not.toMatch(/<b>|<script|https?:|src=|href=/)
  })

  test('describes its charts for screen readers', () => {
    expect(page).toContain('<title>Buying</title><desc>Price Shown 100.0%; Bought 25.0%</desc>')
    expect(page).toContain('<desc>/live LCP 4001 ms, poor</desc>')
    expect(page).toContain('<desc>control 10.0%, 1.8% to 40.4%</desc>')
    expect(page).toContain('<desc>p50 0.90 s; p75 1.23 s; p95 2.00 s</desc>')
  })

  test('draws the reference of each value: two limits for a metric, an interval for a share', () => {
    expect(page.match(/<line class="limit"/g)).toHaveLength(2)
    expect(page.match(/<line x1/g)).toHaveLength(1)
  })

  test('labels its rows with header cells', () => {
    expect(page).toContain('<tr><th scope="row">/live</th><th scope="row">LCP</th><td>9</td>')
  })
})

describe('insights report served locally', () => {
  let served: Awaited<ReturnType<typeof servePage>>
  beforeAll(async () => {
    served = await servePage(() => Promise.resolve('<p>page</p>'))
  })
  afterAll(() => void served.server.close())

  const fetchStatus = (path: string, host?: string) =>
    new Promise<number>((resolve, reject) => {
      const { port } = new URL(served.address)
      const headers = host === undefined ? {} : { host }
      request({ host: '127.0.0.1', port, path, headers }, (answer) => {
        answer.resume()
        resolve(answer.statusCode ?? 0)
      })
        .on('error', reject)
        .end()
    })

  test('responds only at its own URL', async () => {
    expect(await fetchStatus('/')).toBe(200)
    expect(await fetchStatus('/', 'evil.example')).toBe(403)
    expect(await fetchStatus('/other')).toBe(404)
  })

  test('says in one sentence that the provider cannot be reached', async () => {
    const { address, server } = await servePage(() => Promise.reject(new Error('The provider is not there.')))
    const answer = await fetch(address)
    expect([answer.status, await answer.text()]).toEqual([502, 'The provider is not there.\n'])
    const { headers } = answer
    expect([headers.get('content-type'), headers.get('x-content-type-options')]).toEqual([
      'text/plain; charset=utf-8',
      'nosniff',
    ])
    server.close()
  })
})
