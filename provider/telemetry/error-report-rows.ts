import { createHash } from 'node:crypto'
import type { D1Database } from '@cloudflare/workers-types'
import { errorReport, type ErrorReport } from '../../contract/telemetry/telemetry-calls.ts'
import { readJson } from '../../contract/wire/lenient-parse.ts'
import { UTC_DAY_MS, getDayStart, type UtcSpan } from './utc-days.ts'

type Source = NonNullable<ErrorReport['from']>

/**
 * Maximum number of error groups kept per source. Anyone can send a browser report, so sources must not evict each
 * other.
 */
export const KINDS_MAX: Readonly<Record<Source, number>> = { browser: 300, edge: 100, provider: 100, bridge: 100 }
/** Maximum number of new browser error groups per UTC day; further ones are counted but not stored. */
export const NEW_KINDS_A_DAY = 100
/**
 * Maximum number of builds counted by name per UTC day. The limit is needed because a page sends the name of its build.
 */
export const BUILDS_A_DAY = 50
/** Retention of an error group after its last report, and of the daily counts. */
const KEEP_MS = 30 * UTC_DAY_MS

/**
 * Returns the key of a report's error group. Reports of one source with equal errors share the key; page, ids and time
 * do not matter.
 */
function computeFingerprint({ level, from, errors }: ErrorReport): string {
  const [first] = errors
  const text = [level, from, first?.name, first?.message.replace(/[\da-f]{6,}|\d+/gi, '#'), first?.frames[0]].join('\n')
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

/**
 * Counts the report in its group and day, and stores it as the newest report of the group. Deletes the oldest groups
 * beyond the limit. `now` in ms UTC.
 */
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

/**
 * True if source ?2 is not a browser, group ?1 is known, or fewer than ?4 new groups have arrived since the day start
 * ?3.
 */
const HAS_ROOM = `(?2 <> 'browser' OR EXISTS (SELECT 1 FROM error_reports WHERE fingerprint = ?1)
  OR (SELECT count(*) FROM error_reports WHERE source = ?2 AND first_at >= ?3) < ?4)`

/** Counts a report of build ?5. Browsers may name at most ?6 builds per day; the rest count as `others`. */
const COUNT = `INSERT INTO error_days (day, build, reports, left_out)
  SELECT ?3, CASE WHEN ?2 <> 'browser' OR EXISTS (SELECT 1 FROM error_days WHERE day = ?3 AND build = ?5)
    OR (SELECT count(*) FROM error_days WHERE day = ?3) < ?6 THEN ?5 ELSE 'others' END, 1, iif(${HAS_ROOM}, 0, 1)
  WHERE 1 ON CONFLICT DO UPDATE SET reports = reports + 1, left_out = left_out + excluded.left_out`

/** Stores report ?7 of build ?6, received at ?5. */
const KEEP = `INSERT INTO error_reports (fingerprint, count, first_at, last_at, build, report, source)
  SELECT ?1, 1, ?5, ?5, ?6, ?7, ?2 WHERE ${HAS_ROOM}
  ON CONFLICT DO UPDATE SET count = count + 1, last_at = ?5, build = ?6, report = ?7`

const dropStatements = (db: D1Database, now: number) => [
  db.prepare('DELETE FROM error_reports WHERE last_at < ?').bind(now - KEEP_MS),
  db.prepare('DELETE FROM error_days WHERE day < ?').bind(getDayStart(now - KEEP_MS)),
]

/** Deletes reports and daily counts that have expired at `now` (ms UTC). Returns true if any are left. */
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
 * Returns the error groups that have not expired at `now` (ms UTC), last seen first. Skips reports that an older
 * version stored in another form.
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
 * For each release, counts within the span: reports, reports whose group was not stored, and error groups last seen
 * then.
 */
export async function countReports(db: D1Database, { from, to }: UtcSpan) {
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
