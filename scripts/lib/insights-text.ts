import type { InsightsReport } from '../../contract/telemetry/insights-report.ts'
import { rateMetric, VITAL_LIMITS } from '../../contract/telemetry/web-vitals.ts'
import { ANALYTICS_EVENTS } from '../../contract/telemetry/telemetry-calls.ts'

/** Bar of a chart. All numbers are fractions of the chart width, from 0 to 1. */
export interface InsightsBar {
  readonly name: string
  /** Value as text, for screen readers. */
  readonly said: string
  readonly share: number
  /** Confidence interval. */
  readonly range?: readonly [low: number, high: number]
  /** Limit up to which a value is good, and limit above which a value is poor. */
  readonly marks?: readonly number[]
}

/** Table of the report. `heads`: number of leading columns that name a row, 1 by default. */
export interface InsightsTable {
  readonly title: string
  readonly columns: readonly string[]
  readonly heads?: number
  readonly rows: readonly (readonly string[])[]
  readonly bars?: readonly InsightsBar[]
  /** Explanation of the numbers, or the reason why there are none. */
  readonly note?: string
}

export const formatPeriod = (days: number): string => (days === 1 ? 'Today' : `Last ${days} days, including today`)

/** Formats notes about the whole report: external analytics, sample, first stored event, and discarded events. */
export function formatReportNotes(report: InsightsReport): string[] {
  const { from, kept_since, left_out, sample_rate: rate } = report
  const { events } = report.elsewhere
  const since =
    kept_since === null ? 'No events are stored.' : `Events have been stored since ${formatMinute(kept_since)}.`
  return [
    ...(events === null ? [] : [`Events go to ${events} (ANALYTICS_ENDPOINT). This report shows only earlier events.`]),
    ...(rate === 1 ? [] : [`Visits, browsers and page views are estimates from 1 in ${rate} browsers.`]),
    ...(kept_since === null || kept_since > from ? [since] : []),
    ...left_out.map(
      ({ events: count, day }) =>
        `Dropped ${count === 1 ? '1 event' : `${count} events`} from ${day} because of the daily limit.`,
    ),
  ]
}

const formatMinute = (at: number) => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`

const RATINGS = { good: 'good', 'needs-improvement': 'needs work', poor: 'poor' } as const
const formatPercent = (share: number) => `${(share * 100).toFixed(1)}%`
const formatInterval = ({ low, high }: { low: number; high: number }) =>
  `${formatPercent(low)} to ${formatPercent(high)}`
const formatSeconds = (ms: number | null) => (ms === null ? 'none' : `${(ms / 1000).toFixed(2)} s`)

export function buildTables(report: InsightsReport): readonly InsightsTable[] {
  return [
    buildVisitsTable(report),
    buildVitalsTable(report),
    buildFirstFrameTable(report),
    ...buildFunnelTables(report),
    ...buildExperimentTables(report),
    buildErrorsTable(report),
  ]
}

const buildVisitsTable = ({ visits, visitors, views, sample_rate: rate }: InsightsReport): InsightsTable => ({
  title: rate === 1 ? 'Visits' : `Visits (estimated from 1 in ${rate} browsers)`,
  columns: ['visits', 'browsers', 'page views'],
  heads: 0,
  rows: [[visits, visitors, views].map((count) => (rate === 1 ? String(count) : `about ${count}`))],
})

const formatMetric = (metric: string, value: number) =>
  metric === 'CLS' ? value.toFixed(3) : `${Math.round(value)} ms`

const buildVitalsTable = ({ vitals, sample_rate: rate }: InsightsReport): InsightsTable => ({
  title: rate === 1 ? 'Vitals by page' : `Vitals by page (of 1 in ${rate} browsers)`,
  columns: ['page', 'metric', 'samples', 'p75', 'good up to', 'poor above', 'rating', 'good'],
  heads: 2,
  rows: vitals.map(({ route, metric, count, p75, good }) => [
    route,
    metric,
    String(count),
    formatMetric(metric, p75),
    ...VITAL_LIMITS[metric].map((limit) => formatMetric(metric, limit)),
    RATINGS[rateMetric(metric, p75)],
    formatPercent(good),
  ]),
  bars: vitals.map(({ route, metric, p75 }) => {
    const [good, poor] = VITAL_LIMITS[metric]
    // Scales each metric by its own limits, so that its poor limit is at half the width.
    const share = (value: number) => Math.min(1, value / (2 * poor))
    const label = `${formatMetric(metric, p75)}, ${RATINGS[rateMetric(metric, p75)]}`
    return { name: `${route} ${metric}`, said: label, share: share(p75), marks: [share(good), share(poor)] }
  }),
})

const buildFirstFrameTable = ({ first_picture: { count, p50, p75, p95 } }: InsightsReport): InsightsTable => {
  const percentiles = Object.entries({ p50, p75, p95 })
  return {
    title: 'First live video',
    columns: ['samples', 'p50', 'p75', 'p95'],
    heads: 0,
    rows: count === 0 ? [] : [[String(count), formatSeconds(p50), formatSeconds(p75), formatSeconds(p95)]],
    bars: percentiles.map(([name, ms]) => ({
      name,
      said: formatSeconds(ms),
      share: (ms ?? 0) / Math.max(1, p95 ?? 0),
    })),
  }
}

/** Note about a bias: the portal reports a started sign-in only after the browser returns from the login page. */
const SIGN_IN_NOTE =
  "A login is counted only after the person returns from the login page. The real rate is lower, because people who give up aren't counted."

const buildFunnelTables = ({ funnels }: InsightsReport): InsightsTable[] =>
  funnels.map(({ name, steps }) => {
    const first = steps[0]?.people ?? 0
    const share = (people: number) => (first === 0 ? 0 : people / first)
    return {
      title: name,
      columns: ['step', 'browsers', 'of first step', 'events'],
      rows: steps.map((step) => [
        step.name,
        String(step.people),
        formatPercent(share(step.people)),
        String(step.events),
      ]),
      bars: steps.map((step) => ({
        name: step.name,
        said: formatPercent(share(step.people)),
        share: share(step.people),
      })),
      ...(steps[0]?.name === ANALYTICS_EVENTS.signInBegun && { note: SIGN_IN_NOTE }),
    }
  })

const buildExperimentTables = ({ experiments }: InsightsReport): InsightsTable[] =>
  experiments.map(({ flag, arms, difference }) => ({
    title: `Experiment ${flag}`,
    columns: ['variant', 'saw it', 'bought', 'share', '95% interval'],
    rows: [
      ...arms.map((arm) => [
        arm.variant,
        String(arm.seen),
        String(arm.bought),
        formatPercent(arm.share),
        formatInterval(arm.interval),
      ]),
      ['treatment minus control', '', '', '', difference === null ? 'not enough data' : formatInterval(difference)],
    ],
    bars: arms.map(({ variant, share, interval }) => ({
      name: variant,
      said: `${formatPercent(share)}, ${formatInterval(interval)}`,
      share,
      range: [interval.low, interval.high] as const,
    })),
  }))

const buildErrorsTable = ({ errors, elsewhere }: InsightsReport): InsightsTable => ({
  title: 'Errors by release',
  columns: ['release', 'error groups', 'reports', 'in unstored groups'],
  rows: errors.map(({ build, kinds, reports, left_out }) => [build, String(kinds), String(reports), String(left_out)]),
  ...(elsewhere.errors !== null && { note: `Errors go to ${elsewhere.errors} (SENTRY_DSN).` }),
})

export function formatTable({ title, columns, rows, note }: InsightsTable): string {
  const noteLines = note === undefined ? [] : [`  ${note}`]
  if (rows.length === 0) return [`${title}: no data.`, ...noteLines].join('\n')
  const widths = columns.map((name, at) => Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    `  ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd()
  return [title, line(columns), ...rows.map(line), ...noteLines].join('\n')
}
