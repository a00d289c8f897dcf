import { ratingOf, VITAL_LIMITS, type InsightsReport } from '../../contract/insights.ts'

/** A table of the report: its title, the names of its columns, and its rows; `bars` is the column that is drawn, a share of 0 to 1. */
export interface Table {
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** Of each row what a bar shows. */
  readonly bars?: readonly number[]
}

const RATINGS = { good: 'good', 'needs-improvement': 'needs work', poor: 'poor' } as const
const percent = (share: number) => `${(share * 100).toFixed(1)} %`
const ofInterval = ({ low, high }: { low: number; high: number }) => `${percent(low)} to ${percent(high)}`
const seconds = (ms: number | null) => (ms === null ? 'none' : `${(ms / 1000).toFixed(2)} s`)

/** The report as tables of words, for the terminal and for a page. */
export function tablesOf(report: InsightsReport): readonly Table[] {
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
  rows: [[String(visits), String(visitors), String(views)]],
})

const vitals = ({ vitals }: InsightsReport): Table => ({
  title: 'Vitals by page',
  columns: ['page', 'metric', 'told', 'p75', 'good up to', 'poor above', 'rating', 'good'],
  rows: vitals.map(({ route, metric, count, p75, good }) => {
    const [low, high] = VITAL_LIMITS[metric]
    const unit = (value: number) => (metric === 'CLS' ? value.toFixed(3) : `${Math.round(value)} ms`)
    return [
      route,
      metric,
      String(count),
      unit(p75),
      unit(low),
      unit(high),
      RATINGS[ratingOf(metric, p75)],
      percent(good),
    ]
  }),
  bars: vitals.map(({ good }) => good),
})

const firstPicture = ({ first_picture: { count, p50, p75, p95 } }: InsightsReport): Table => ({
  title: 'First live picture',
  columns: ['told', 'p50', 'p75', 'p95'],
  rows: count === 0 ? [] : [[String(count), seconds(p50), seconds(p75), seconds(p95)]],
})

const funnels = ({ funnels }: InsightsReport): Table[] =>
  funnels.map(({ name, steps }) => {
    const first = steps[0]?.people ?? 0
    const share = (people: number) => (first === 0 ? 0 : people / first)
    return {
      title: name,
      columns: ['step', 'browsers', 'of the first', 'times'],
      rows: steps.map((one) => [one.name, String(one.people), percent(share(one.people)), String(one.events)]),
      bars: steps.map(({ people }) => share(people)),
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
    bars: [...arms.map(({ share }) => share), 0],
  }))

const errors = ({ errors }: InsightsReport): Table => ({
  title: 'Errors by release',
  columns: ['release', 'kinds', 'reports since the first'],
  rows: errors.map(({ build, kinds, reports }) => [build, String(kinds), String(reports)]),
})

/** A table for the terminal. */
export function textOf({ title, columns, rows }: Table): string {
  if (rows.length === 0) return `${title}: nothing was told.`
  const widths = columns.map((name, at) => Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    `  ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd()
  return [title, line(columns), ...rows.map(line)].join('\n')
}
