import type { SqlStorage } from '@cloudflare/workers-types'
import { newcombe, wilson } from '../../contract/intervals.ts'
import type { InsightsReport, Metric } from '../../contract/insights.ts'
import { VITAL_LIMITS } from '../../contract/insights.ts'
import { CAPTURED } from '../../contract/measured.ts'
import { EVENTS, VARIANTS } from '../../contract/telemetry.ts'

/** From and up to, ms UTC; the end is not part of it. */
export interface Span {
  readonly from: number
  readonly to: number
}

type Report = Omit<InsightsReport, 'errors'>

const FUNNELS = [
  { name: 'Signing in', steps: [EVENTS.signInBegun, EVENTS.signedIn] },
  { name: 'Buying', steps: [EVENTS.priceShown, EVENTS.payPressed, EVENTS.bought] },
] as const

/** What the events of a span say, all but the errors, which are reported elsewhere. */
export function reportOf(sql: SqlStorage, span: Span): Report {
  return {
    ...span,
    ...visitsOf(sql, span),
    vitals: vitalsOf(sql, span),
    first_picture: firstPictureOf(sql, span),
    funnels: FUNNELS.map(({ name, steps }) => ({ name, steps: stepsOf(sql, span, steps) })),
    experiments: experimentsOf(sql, span),
  }
}

function visitsOf(sql: SqlStorage, { from, to }: Span) {
  return sql
    .exec<{ visits: number; visitors: number; views: number }>(
      `SELECT count(DISTINCT device || ' ' || session) AS visits, count(DISTINCT device) AS visitors,
         count(*) FILTER (WHERE type = ?3) AS views
       FROM events WHERE at >= ?1 AND at < ?2`,
      from,
      to,
      CAPTURED.pageViewed,
    )
    .one()
}

/** The value below which `part` of the ordered values lie, by nearest rank; null without any. */
function ranked(values: readonly number[], part: number): number | null {
  return values[Math.max(0, Math.ceil(values.length * part) - 1)] ?? null
}

function vitalsOf(sql: SqlStorage, { from, to }: Span): Report['vitals'] {
  const rows = sql.exec<{ route: string; metric: Metric; count: number; p75: number; good: number }>(
    `WITH told AS (
       SELECT route, props ->> 'metric' AS metric, props ->> 'value' AS value FROM events
       WHERE type = ?3 AND at >= ?1 AND at < ?2 AND props ->> 'metric' IS NOT NULL AND props ->> 'value' IS NOT NULL
     ), ranked AS (
       SELECT *, row_number() OVER (PARTITION BY route, metric ORDER BY value) AS place,
         count(*) OVER (PARTITION BY route, metric) AS count FROM told
     )
     SELECT route, metric, max(count) AS count, max(CASE WHEN place = (count * 3 + 3) / 4 THEN value END) AS p75,
       avg(value <= (?4 ->> metric)) AS good
     FROM ranked GROUP BY route, metric ORDER BY route, metric`,
    from,
    to,
    CAPTURED.webVitals,
    JSON.stringify(Object.fromEntries(Object.entries(VITAL_LIMITS).map(([metric, [good]]) => [metric, good]))),
  )
  return rows.toArray()
}

function firstPictureOf(sql: SqlStorage, { from, to }: Span): Report['first_picture'] {
  const values = sql
    .exec<{ ms: number }>(
      `SELECT props ->> 'ms' AS ms FROM events WHERE type = ?3 AND at >= ?1 AND at < ?2 AND props ->> 'ms' IS NOT NULL ORDER BY 1`,
      from,
      to,
      EVENTS.firstPicture,
    )
    .toArray()
    .map(({ ms }) => ms)
  return { count: values.length, p50: ranked(values, 0.5), p75: ranked(values, 0.75), p95: ranked(values, 0.95) }
}

/** Of each step the devices that have done it and every step before it, and how often it was told. */
function stepsOf(sql: SqlStorage, { from, to }: Span, steps: readonly string[]) {
  return steps.map((name, at) => {
    const before = steps.slice(0, at + 1)
    const people = sql
      .exec<{ people: number }>(
        `SELECT count(*) AS people FROM (
           SELECT device FROM events WHERE at >= ?1 AND at < ?2 AND type IN (SELECT value FROM json_each(?3))
           GROUP BY device HAVING count(DISTINCT type) = ?4)`,
        from,
        to,
        JSON.stringify(before),
        before.length,
      )
      .one().people
    const { events } = sql
      .exec<{ events: number }>(
        'SELECT count(*) AS events FROM events WHERE at >= ?1 AND at < ?2 AND type = ?3',
        from,
        to,
        name,
      )
      .one()
    return { name, people, events }
  })
}

/** Who saw which variant, by account or else by device; somebody who saw two counts for neither. Bought counts after that. */
function experimentsOf(sql: SqlStorage, { from, to }: Span): Report['experiments'] {
  const rows = sql
    .exec<{ flag: string; variant: string; seen: number; bought: number }>(
      `WITH shown AS (
         SELECT props ->> 'flag' AS flag, min(props ->> 'variant') AS variant, min(at) AS at,
           CASE user WHEN '' THEN 'd ' || device ELSE 'u ' || user END AS who
         FROM events WHERE type = ?3 AND at >= ?1 AND at < ?2 AND props ->> 'flag' IS NOT NULL
         GROUP BY flag, who HAVING count(DISTINCT props ->> 'variant') = 1
       ), buyers AS (
         SELECT CASE user WHEN '' THEN 'd ' || device ELSE 'u ' || user END AS who, max(at) AS at
         FROM events WHERE type = ?4 AND at >= ?1 AND at < ?2 GROUP BY who
       )
       SELECT flag, variant, count(*) AS seen, count(buyers.who) AS bought
       FROM shown LEFT JOIN buyers ON buyers.who = shown.who AND buyers.at >= shown.at
       GROUP BY flag, variant ORDER BY flag, variant`,
      from,
      to,
      CAPTURED.exposure,
      EVENTS.bought,
    )
    .toArray()
  return [...new Set(rows.map(({ flag }) => flag))].map((flag) =>
    experimentOf(
      flag,
      rows.filter((row) => row.flag === flag),
    ),
  )
}

function experimentOf(flag: string, rows: readonly { variant: string; seen: number; bought: number }[]) {
  const arms = VARIANTS.map((variant) => {
    const { seen, bought } = rows.find((row) => row.variant === variant) ?? { seen: 0, bought: 0 }
    return { variant, seen, bought, share: seen === 0 ? 0 : bought / seen, interval: wilson(bought, seen) }
  })
  const [control, treatment] = arms
  const isWhole = control !== undefined && treatment !== undefined && control.seen > 0 && treatment.seen > 0
  return {
    flag,
    arms,
    difference: isWhole ? newcombe(treatment.bought, treatment.seen, control.bought, control.seen) : null,
  }
}
