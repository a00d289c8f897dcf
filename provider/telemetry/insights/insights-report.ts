import type { SqlStorage } from '@cloudflare/workers-types'
import type { InsightsReport } from '../../../contract/telemetry/insights-report.ts'
import { VITAL_LIMITS, type Metric } from '../../../contract/telemetry/web-vitals.ts'
import { AUTOMATIC_EVENTS } from '../../../contract/telemetry/analytics-events.ts'
import { ANALYTICS_EVENTS } from '../../../contract/telemetry/telemetry-calls.ts'
import { formatUtcDay, getDayStart, type UtcSpan } from '../utc-days.ts'
import { scanInChunks } from './chunked-scan.ts'
import { summarizeExperiments } from './experiments-report.ts'
import { listMetrics, MetricValues } from './metric-percentiles.ts'
import { getOldestEventTime } from './analytics-event-rows.ts'

/** Part of the insights report that is computed from events. Callers add the fields `errors` and `elsewhere`. */
export type EventReport = Omit<InsightsReport, 'errors' | 'elsewhere'>

const FUNNELS = [
  { name: 'Logging in', steps: [ANALYTICS_EVENTS.signInBegun, ANALYTICS_EVENTS.signedIn] },
  { name: 'Buying', steps: [ANALYTICS_EVENTS.priceShown, ANALYTICS_EVENTS.payPressed, ANALYTICS_EVENTS.bought] },
] as const

/**
 * Builds the event part of the report. Yields between chunks, so that the Durable Object can serve other requests.
 * Events that arrive meanwhile may be in only some of the counts.
 */
export async function buildInsightsReport(sql: SqlStorage, span: UtcSpan): Promise<EventReport> {
  return {
    ...span,
    kept_since: getOldestEventTime(sql),
    left_out: listOverflowDays(sql, span),
    ...(await countVisits(sql, span)),
    vitals: await summarizeVitals(sql, span),
    first_picture: await summarizeFirstPicture(sql, span),
    funnels: await countFunnels(sql, span),
    experiments: await summarizeExperiments(sql, span),
  }
}

function listOverflowDays(sql: SqlStorage, { from, to }: UtcSpan): EventReport['left_out'] {
  return sql
    .exec<{ day: number; events: number }>(
      'SELECT day, left_out AS events FROM days WHERE day >= ? AND day < ? AND left_out > 0 ORDER BY day',
      getDayStart(from),
      to,
    )
    .toArray()
    .map(({ day, events }) => ({ day: formatUtcDay(day), events }))
}

/**
 * Counts visits, browsers and page views of a span. Counts each visit and each browser once, in the last chunk that
 * contains it.
 */
async function countVisits(
  sql: SqlStorage,
  span: UtcSpan,
): Promise<Pick<EventReport, 'visits' | 'visitors' | 'views'>> {
  const sum = { visits: 0, visitors: 0, views: 0 }
  await scanInChunks(sql, span, ({ from, to }) => {
    sum.visits += countRows(
      sql,
      `SELECT count(*) AS n FROM (SELECT DISTINCT device, session FROM events WHERE at >= ?1 AND at < ?2) AS seen
       WHERE NOT EXISTS (SELECT 1 FROM events AS later
         WHERE later.device = seen.device AND later.session = seen.session AND later.at >= ?2 AND later.at < ?3)`,
      from,
      to,
      span.to,
    )
    sum.visitors += countRows(
      sql,
      `SELECT count(*) AS n FROM (SELECT DISTINCT device FROM events WHERE at >= ?1 AND at < ?2) AS seen
       WHERE NOT EXISTS (SELECT 1 FROM events AS later
         WHERE later.device = seen.device AND later.at >= ?2 AND later.at < ?3)`,
      from,
      to,
      span.to,
    )
    sum.views += countRows(sql, COUNT_TYPE_SQL, from, to, AUTOMATIC_EVENTS.pageViewed)
  })
  return sum
}

const COUNT_TYPE_SQL = 'SELECT count(*) AS n FROM events WHERE type = ?3 AND at >= ?1 AND at < ?2'

const countRows = (sql: SqlStorage, query: string, ...values: (number | string)[]): number =>
  sql.exec<{ n: number }>(query, ...values).one().n

async function summarizeVitals(sql: SqlStorage, span: UtcSpan): Promise<EventReport['vitals']> {
  const vitals: EventReport['vitals'] = []
  for (const { metric, page } of listMetrics(sql)) {
    const limits: readonly number[] | undefined = VITAL_LIMITS[metric as Metric]
    if (limits === undefined) continue
    const values = await MetricValues.read(sql, { metric, page, span, limit: limits[0] ?? 0 })
    const p75 = values.getQuantile(0.75)
    if (p75 === null) continue
    vitals.push({
      route: page,
      metric: metric as Metric,
      count: values.count,
      p75,
      good: values.countWithinLimit / values.count,
    })
  }
  return vitals.toSorted((a, b) => compareText(a.route, b.route) || compareText(a.metric, b.metric))
}

const compareText = (a: string, b: string) => Number(a > b) - Number(a < b)

async function summarizeFirstPicture(sql: SqlStorage, span: UtcSpan): Promise<EventReport['first_picture']> {
  const values = await MetricValues.read(sql, { metric: ANALYTICS_EVENTS.firstPicture, page: '', span, limit: 0 })
  return {
    count: values.count,
    p50: values.getQuantile(0.5),
    p75: values.getQuantile(0.75),
    p95: values.getQuantile(0.95),
  }
}

async function countFunnels(sql: SqlStorage, span: UtcSpan): Promise<EventReport['funnels']> {
  const funnels: EventReport['funnels'] = []
  for (const { name, steps } of FUNNELS) {
    const sums = steps.map((step) => ({ name: step as string, people: 0, events: 0 }))
    await scanInChunks(sql, span, (part) => {
      const people = countFunnelPeople(sql, span, part, steps)
      sums.forEach((sum, at) => {
        sum.people += people[at] ?? 0
        sum.events += countRows(sql, COUNT_TYPE_SQL, part.from, part.to, sum.name)
      })
    })
    funnels.push({ name, steps: sums })
  }
  return funnels
}

/**
 * Counts for each funnel step the devices that completed this step and all earlier steps within the span. Counts a
 * device only in the chunk with its last event of the first step, so that no device counts twice.
 */
function countFunnelPeople(
  sql: SqlStorage,
  span: UtcSpan,
  part: UtcSpan,
  [first = '', ...others]: readonly string[],
): number[] {
  const did = others.map(
    (_, at) =>
      `EXISTS (SELECT 1 FROM events AS one
        WHERE one.type = ?${at + 6} AND one.device = seen.device AND one.at >= ?3 AND one.at < ?4) AS did${at}`,
  )
  const sums = others.map((_, at) => {
    const all = Array.from({ length: at + 1 }, (__, n) => `did${n}`).join(' AND ')
    return `coalesce(sum(${all}), 0)`
  })
  const rows = sql.exec(
    `SELECT ${['count(*)', ...sums].join(', ')} FROM (
       SELECT ${['device', ...did].join(', ')} FROM (SELECT DISTINCT device FROM events WHERE type = ?5 AND at >= ?1 AND at < ?2) AS seen
       WHERE NOT EXISTS (SELECT 1 FROM events AS later
         WHERE later.type = ?5 AND later.device = seen.device AND later.at >= ?2 AND later.at < ?4))`,
    part.from,
    part.to,
    span.from,
    span.to,
    first,
    ...others,
  )
  return [...rows.raw<number[]>()][0] ?? []
}
