import { createHash } from 'node:crypto'
import type { D1Database } from '@cloudflare/workers-types'
import { errorReport, type ErrorReport } from '../../contract/telemetry/telemetry-calls.ts'
import { parseJsonAs } from '../../contract/wire/lenient-parse.ts'
import { UTC_DAY_MS, getDayStart, type UtcSpan } from './utc-days.ts'

type ReportSource = NonNullable<ErrorReport['from']>

/**
 * Maximum number of error groups per source. The separate limits keep browser reports, which anyone can send, from
 * evicting reports of Workers and bridges.
 */
export const MAX_GROUPS_PER_SOURCE: Readonly<Record<ReportSource, number>> = {
  browser: 300,
  edge: 100,
  provider: 100,
  bridge: 100,
}
/** Maximum number of new browser error groups per UTC day. Reports of further groups are counted but not stored. */
export const MAX_NEW_GROUPS_PER_DAY = 100
/**
 * Maximum number of builds that are counted by name per UTC day. Pages send the name of their build, so the number must
 * be limited.
 */
export const MAX_BUILDS_PER_DAY = 50
/** Retention of the daily counts, and of an error group after its last report. */
const RETENTION_MS = 30 * UTC_DAY_MS

/**
 * Returns the key of the error group of a report. Reports of one source with equal errors have the same key, even if
 * page, ids and time differ.
 */
function computeFingerprint({ level, from, errors }: ErrorReport): string {
  const [first] = errors
  const text = [level, from, first?.name, first?.message.replace(/[\da-f]{6,}|\d+/gi, '#'), first?.frames[0]].join('\n')
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

/**
 * Counts the report for its day. Stores it as the latest report of its group, unless the group is new and exceeds
 * `MAX_NEW_GROUPS_PER_DAY`. Deletes the least recently seen groups beyond `MAX_GROUPS_PER_SOURCE`, and expired data.
 * `now` in ms UTC.
 */
export async function saveErrorReport(db: D1Database, report: ErrorReport, build: string, now: number): Promise<void> {
  const source = report.from ?? 'browser'
  const groupLimitParameters = [computeFingerprint(report), source, getDayStart(now), MAX_NEW_GROUPS_PER_DAY] as const
  await db.batch([
    db.prepare(COUNT_REPORT_SQL).bind(...groupLimitParameters, build, MAX_BUILDS_PER_DAY),
    db.prepare(STORE_REPORT_SQL).bind(...groupLimitParameters, now, build, JSON.stringify(report)),
    db
      .prepare(
        `DELETE FROM error_reports WHERE fingerprint IN
         (SELECT fingerprint FROM error_reports WHERE source = ?1 ORDER BY last_at DESC LIMIT -1 OFFSET ?2)`,
      )
      .bind(source, MAX_GROUPS_PER_SOURCE[source]),
    ...prepareCleanup(db, now),
  ])
}

/**
 * SQL condition: source ?2 is not a browser, group ?1 is known, or fewer than ?4 new groups have arrived since the day
 * start ?3.
 */
const BELOW_GROUP_LIMIT_SQL = `(?2 <> 'browser' OR EXISTS (SELECT 1 FROM error_reports WHERE fingerprint = ?1)
  OR (SELECT count(*) FROM error_reports WHERE source = ?2 AND first_at >= ?3) < ?4)`

/**
 * SQL that counts a report of build ?5. Browsers may name at most ?6 builds per day; reports of further builds count
 * under `others`.
 */
const COUNT_REPORT_SQL = `INSERT INTO error_days (day, build, reports, left_out)
  SELECT ?3, CASE WHEN ?2 <> 'browser' OR EXISTS (SELECT 1 FROM error_days WHERE day = ?3 AND build = ?5)
    OR (SELECT count(*) FROM error_days WHERE day = ?3) < ?6 THEN ?5 ELSE 'others' END, 1, iif(${BELOW_GROUP_LIMIT_SQL}, 0, 1)
  WHERE 1 ON CONFLICT DO UPDATE SET reports = reports + 1, left_out = left_out + excluded.left_out`

/** SQL that stores report ?7 of build ?6, received at ?5. */
const STORE_REPORT_SQL = `INSERT INTO error_reports (fingerprint, count, first_at, last_at, build, report, source)
  SELECT ?1, 1, ?5, ?5, ?6, ?7, ?2 WHERE ${BELOW_GROUP_LIMIT_SQL}
  ON CONFLICT DO UPDATE SET count = count + 1, last_at = ?5, build = ?6, report = ?7`

const prepareCleanup = (db: D1Database, now: number) => [
  db.prepare('DELETE FROM error_reports WHERE last_at < ?').bind(now - RETENTION_MS),
  db.prepare('DELETE FROM error_days WHERE day < ?').bind(getDayStart(now - RETENTION_MS)),
]

/**
 * Deletes reports and daily counts that have expired at `now` (ms UTC). Returns true if any reports or counts remain.
 */
export async function deleteExpiredReports(db: D1Database, now: number): Promise<boolean> {
  await db.batch(prepareCleanup(db, now))
  const query = 'SELECT 1 AS one FROM error_reports UNION ALL SELECT 1 FROM error_days LIMIT 1'
  return (await db.prepare(query).first()) !== null
}

interface ErrorReportRow {
  count: number
  first_at: number
  last_at: number
  build: string
  report: string
}

/**
 * Returns the error groups that have not expired at `now` (ms UTC), most recently seen first. Skips reports that an
 * older version stored in another format.
 */
export async function listErrorReports(db: D1Database, now: number) {
  const { results } = await db
    .prepare(
      'SELECT count, first_at, last_at, build, report FROM error_reports WHERE last_at >= ? ORDER BY last_at DESC',
    )
    .bind(now - RETENTION_MS)
    .all<ErrorReportRow>()
  return results.flatMap((row) => {
    const report = parseJsonAs(errorReport, row.report)
    return report ? [{ ...row, report }] : []
  })
}

/**
 * Counts for each build: reports and discarded reports within the span, and error groups whose last report is within
 * the span.
 */
export async function countErrorReports(db: D1Database, { from, to }: UtcSpan) {
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
