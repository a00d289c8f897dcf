import { createHash } from 'node:crypto'
import type { D1Database } from '@cloudflare/workers-types'
import { errorReport, type ErrorReport } from '../../contract/telemetry/telemetry-calls.ts'
import { readJson } from '../../contract/wire/lenient-parse.ts'
import { DAY_MS, getDayStart, type Span } from './utc-days.ts'

type Source = NonNullable<ErrorReport['from']>

/** Kinds of errors that are kept of each part of the portal: anybody can make a page report, and must not push out the others. */
export const KINDS_MAX: Readonly<Record<Source, number>> = { browser: 300, edge: 100, provider: 100, bridge: 100 }
/** New kinds of browsers on one day (UTC); further ones are counted and not kept. */
export const NEW_KINDS_A_DAY = 100
/** Builds that are counted by name on one day (UTC): a page says its own. */
export const BUILDS_A_DAY = 50
/** How long a kind is kept after it was last seen, and the count of a day. */
const KEEP_MS = 30 * DAY_MS

/** Reports of the same error of one part of the portal, on different pages, ids and times, are one kind. */
function computeFingerprint({ level, from, errors }: ErrorReport): string {
  const [first] = errors
  const text = [level, from, first?.name, first?.message.replace(/[\da-f]{6,}|\d+/gi, '#'), first?.frames[0]].join('\n')
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

/** Counts the report with its kind and its day, and keeps it as the kind's newest; the oldest kinds go. `now` in ms UTC. */
export async function saveReport(db: D1Database, report: ErrorReport, build: string, now: number): Promise<void> {
  const source = report.from ?? 'browser'
  const room = [computeFingerprint(report), source, getDayStart(now), NEW_KINDS_A_DAY] as const
  await db.batch([
    db.prepare(COUNT).bind(...room, build, BUILDS_A_DAY),
    db.prepare(KEEP).bind(...room, now, build, JSON.stringify(report)),
    db
      .prepare(
        `DELETE FROM error_reports WHERE fingerprint IN
         (SELECT fingerprint FROM error_reports WHERE source = ?1 ORDER BY last_at DESC LIMIT -1 OFFSET ?2)`,
      )
      .bind(source, KINDS_MAX[source]),
    ...dropStatements(db, now),
  ])
}

/** Whether the kind ?1 of the source ?2 is known, or one of the ?4 new ones of the day ?3 that are kept. */
const HAS_ROOM = `(?2 <> 'browser' OR EXISTS (SELECT 1 FROM error_reports WHERE fingerprint = ?1)
  OR (SELECT count(*) FROM error_reports WHERE source = ?2 AND first_at >= ?3) < ?4)`

/** Counts a report of the build ?5, one of ?6 that browsers may name on a day. */
const COUNT = `INSERT INTO error_days (day, build, reports, left_out)
  SELECT ?3, CASE WHEN ?2 <> 'browser' OR EXISTS (SELECT 1 FROM error_days WHERE day = ?3 AND build = ?5)
    OR (SELECT count(*) FROM error_days WHERE day = ?3) < ?6 THEN ?5 ELSE 'others' END, 1, iif(${HAS_ROOM}, 0, 1)
  WHERE 1 ON CONFLICT DO UPDATE SET reports = reports + 1, left_out = left_out + excluded.left_out`

/** Keeps the report ?7 of the build ?6, which came at ?5. */
const KEEP = `INSERT INTO error_reports (fingerprint, count, first_at, last_at, build, report, source)
  SELECT ?1, 1, ?5, ?5, ?6, ?7, ?2 WHERE ${HAS_ROOM}
  ON CONFLICT DO UPDATE SET count = count + 1, last_at = ?5, build = ?6, report = ?7`

const dropStatements = (db: D1Database, now: number) => [
  db.prepare('DELETE FROM error_reports WHERE last_at < ?').bind(now - KEEP_MS),
  db.prepare('DELETE FROM error_days WHERE day < ?').bind(getDayStart(now - KEEP_MS)),
]

/** Deletes what is too old at `now`, ms UTC; answers whether any is left. */
export async function dropOldReports(db: D1Database, now: number): Promise<boolean> {
  await db.batch(dropStatements(db, now))
  const left = 'SELECT 1 AS one FROM error_reports UNION ALL SELECT 1 FROM error_days LIMIT 1'
  return (await db.prepare(left).first()) !== null
}

interface Row {
  count: number
  first_at: number
  last_at: number
  build: string
  report: string
}

/**
 * The kinds of errors that are not too old at `now` (ms UTC), the one that was seen last first; reports that an older version kept
 * in another form are left out.
 */
export async function listReports(db: D1Database, now: number) {
  const { results } = await db
    .prepare(
      'SELECT count, first_at, last_at, build, report FROM error_reports WHERE last_at >= ? ORDER BY last_at DESC',
    )
    .bind(now - KEEP_MS)
    .all<Row>()
  return results.flatMap((row) => {
    const report = readJson(errorReport, row.report)
    return report ? [{ ...row, report }] : []
  })
}

/**
 * Of each release how many reports came on the days of the span, how many of them were of kinds that are not kept, and how many
 * kinds that were seen then it was the last to tell of.
 */
export async function countReports(db: D1Database, { from, to }: Span) {
  const { results } = await db
    .prepare(
      `SELECT build, sum(reports) AS reports, sum(left_out) AS left_out, sum(kinds) AS kinds FROM (
         SELECT build, reports, left_out, 0 AS kinds FROM error_days WHERE day >= ?1 AND day < ?2
         UNION ALL
         SELECT build, 0, 0, 1 FROM error_reports WHERE last_at >= ?1 AND last_at < ?2)
       GROUP BY build ORDER BY reports DESC, build`,
    )
    .bind(from, to)
    .all<{ build: string; kinds: number; reports: number; left_out: number }>()
  return results
}
