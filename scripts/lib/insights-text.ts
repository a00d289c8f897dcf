import { rateMetric, VITAL_LIMITS, type InsightsReport } from '../../contract/telemetry/insights-report.ts'
import { ANALYTICS_EVENTS } from '../../contract/telemetry/telemetry-calls.ts'

/** Bar of a chart; numbers are fractions of its width from 0 to 1. */
export interface InsightsBar {
  readonly name: string
  /** Value in words, for screen readers. */
  readonly said: string
  readonly share: number
  /** Confidence interval. */
  readonly range?: readonly [low: number, high: number]
  /** Limits for comparison. */
  readonly marks?: readonly number[]
}

/** Table of the report. `heads`: number of leading columns that name a row, 1 by default. */
export interface Table {
  readonly title: string
  readonly columns: readonly string[]
  readonly heads?: number
  readonly rows: readonly (readonly string[])[]
  readonly bars?: readonly InsightsBar[]
  /** Explanation of the numbers, or the reason why there are none. */
  readonly note?: string
}

export const periodTitle = (days: number): string => (days === 1 ? 'Today' : `${days} days, today among them`)

/** Formats notes about the whole report: external destinations, start of the stored events, and left-out events. */
export function formatReportNotes({ from, kept_since, left_out, elsewhere: { events } }: InsightsReport): string[] {
  const since = kept_since === null ? 'No event is kept.' : `Events are kept since ${minute(kept_since)}.`
  return [
    ...(events === null ? [] : [`Events go to ${events} (ANALYTICS_ENDPOINT): what stands here is what came before.`]),
    ...(kept_since === null || kept_since > from ? [since] : []),
    ...left_out.map((entry) => `${entry.events} events of ${entry.day} were left out: a day keeps no more.`),
  ]
}

const minute = (at: number) => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`

const RATINGS = { good: 'good', 'needs-improvement': 'needs work', poor: 'poor' } as const
const percent = (share: number) => `${(share * 100).toFixed(1)} %`
const ofInterval = ({ low, high }: { low: number; high: number }) => `${percent(low)} to ${percent(high)}`
const seconds = (ms: number | null) => (ms === null ? 'none' : `${(ms / 1000).toFixed(2)} s`)

export function buildTables(report: InsightsReport): readonly Table[] {
  return [
    visits(report),
    vitals(report),
    firstPicture(report),
    ...funnels(report),
    ...experiments(report),
    errors(report),
  ]
}

const visits = ({ visits, visitors, views }: InsightsReport): Table => ({
  title: 'Visits',
  columns: ['visits', 'browsers', 'page views'],
  heads: 0,
  rows: [[String(visits), String(visitors), String(views)]],
})

const formatMetric = (metric: string, value: number) =>
  metric === 'CLS' ? value.toFixed(3) : `${Math.round(value)} ms`

const vitals = ({ vitals }: InsightsReport): Table => ({
  title: 'Vitals by page',
  columns: ['page', 'metric', 'told', 'p75', 'good up to', 'poor above', 'rating', 'good'],
  heads: 2,
  rows: vitals.map(({ route, metric, count, p75, good }) => [
    ...[route, metric, String(count), formatMetric(metric, p75)],
    ...VITAL_LIMITS[metric].map((limit) => formatMetric(metric, limit)),
    ...[RATINGS[rateMetric(metric, p75)], percent(good)],
  ]),
  bars: vitals.map(({ route, metric, p75 }) => {
    const [good, poor] = VITAL_LIMITS[metric]
    // Scales each metric by its own limits: the poor limit is at half the width.
    const share = (value: number) => Math.min(1, value / (2 * poor))
    const label = `${formatMetric(metric, p75)}, ${RATINGS[rateMetric(metric, p75)]}`
    return { name: `${route} ${metric}`, said: label, share: share(p75), marks: [share(good), share(poor)] }
  }),
})

const firstPicture = ({ first_picture: { count, p50, p75, p95 } }: InsightsReport): Table => {
  const percentiles = Object.entries({ p50, p75, p95 })
  return {
    title: 'First live picture',
    columns: ['told', 'p50', 'p75', 'p95'],
    heads: 0,
    rows: count === 0 ? [] : [[String(count), seconds(p50), seconds(p75), seconds(p95)]],
    bars: percentiles.map(([name, ms]) => ({
      ...{ name, said: seconds(ms) },
      share: (ms ?? 0) / Math.max(1, p95 ?? 0),
    })),
  }
}

/** Sign-in navigates to another page, so the portal reports the first step only after the browser has returned. */
const SIGN_IN_NOTE =
  'A sign-in that is begun is told when its person comes back: who gives up on the way is in neither step, so that the share flatters.'

const funnels = ({ funnels }: InsightsReport): Table[] =>
  funnels.map(({ name, steps }) => {
    const first = steps[0]?.people ?? 0
    const share = (people: number) => (first === 0 ? 0 : people / first)
    return {
      title: name,
      columns: ['step', 'browsers', 'of the first', 'times'],
      rows: steps.map((step) => [step.name, String(step.people), percent(share(step.people)), String(step.events)]),
      bars: steps.map((step) => ({ name: step.name, said: percent(share(step.people)), share: share(step.people) })),
      ...(steps[0]?.name === ANALYTICS_EVENTS.signInBegun && { note: SIGN_IN_NOTE }),
    }
  })

const experiments = ({ experiments }: InsightsReport): Table[] =>
  experiments.map(({ flag, arms, difference }) => ({
    title: `Experiment ${flag}`,
    columns: ['variant', 'saw it', 'bought', 'share', '95 % interval'],
    rows: [
      ...arms.map((arm) => [
        ...[arm.variant, String(arm.seen), String(arm.bought)],
        ...[percent(arm.share), ofInterval(arm.interval)],
      ]),
      ['treatment less control', '', '', '', difference === null ? 'not yet known' : ofInterval(difference)],
    ],
    bars: arms.map(({ variant, share, interval }) => ({
      ...{ name: variant, said: `${percent(share)}, ${ofInterval(interval)}`, share },
      range: [interval.low, interval.high] as const,
    })),
  }))

const errors = ({ errors, elsewhere }: InsightsReport): Table => ({
  title: 'Errors by release',
  columns: ['release', 'kinds', 'reports', 'of kinds not kept'],
  rows: errors.map(({ build, kinds, reports, left_out }) => [build, String(kinds), String(reports), String(left_out)]),
  ...(elsewhere.errors !== null && { note: `Errors go to ${elsewhere.errors} (SENTRY_DSN).` }),
})

export function formatTable({ title, columns, rows, note }: Table): string {
  const noted = note === undefined ? [] : [`  ${note}`]
  if (rows.length === 0) return [`${title}: nothing was told.`, ...noted].join('\n')
  const widths = columns.map((name, at) => Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    `  ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd()
  return [title, line(columns), ...rows.map(line), ...noted].join('\n')
}
