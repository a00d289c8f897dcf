import { createHash } from 'node:crypto'
import type { D1Database } from '@cloudflare/workers-types'
import { errorReport, type ErrorReport } from '../../contract/telemetry.ts'
import { readJson } from '../../contract/tolerant.ts'

/** Kinds of errors that are kept, and for how long after they were last seen. */
const KINDS_MAX = 500
const KEEP_MS = 30 * 86_400_000

/** Reports of the same error of one part of the portal, on different pages, ids and times, are one kind. */
function fingerprintOf({ level, from, errors }: ErrorReport): string {
  const [first] = errors
  const text = [level, from, first?.name, first?.message.replace(/[\da-f]{6,}|\d+/gi, '#'), first?.frames[0]].join('\n')
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

/** Counts the report with its kind and keeps it as the kind's newest; the oldest kinds go. `now` in ms UTC. */
export async function keepReport(db: D1Database, report: ErrorReport, build: string, now: number): Promise<void> {
  await db.batch([
    db
      .prepare(
        `INSERT INTO error_reports (fingerprint, count, first_at, last_at, build, report) VALUES (?1, 1, ?2, ?2, ?3, ?4)
         ON CONFLICT DO UPDATE SET count = count + 1, last_at = ?2, build = ?3, report = ?4`,
      )
      .bind(fingerprintOf(report), now, build, JSON.stringify(report)),
    db
      .prepare(
        `DELETE FROM error_reports WHERE last_at < ?1
         OR fingerprint IN (SELECT fingerprint FROM error_reports ORDER BY last_at DESC LIMIT -1 OFFSET ?2)`,
      )
      .bind(now - KEEP_MS, KINDS_MAX),
  ])
}

interface Row {
  count: number
  first_at: number
  last_at: number
  build: string
  report: string
}

/** The kinds of errors, the one that was seen last first; reports that an older version kept in another form are left out. */
export async function listReports(db: D1Database) {
  const { results } = await db
    .prepare('SELECT count, first_at, last_at, build, report FROM error_reports ORDER BY last_at DESC')
    .all<Row>()
  return results.flatMap((row) => {
    const report = readJson(errorReport, row.report)
    return report ? [{ ...row, report }] : []
  })
}

/** How many kinds of errors were seen since `from` (ms UTC), and how often in all, by the release that told of them last. */
export async function countReports(db: D1Database, from: number) {
  const { results } = await db
    .prepare(
      `SELECT build, count(*) AS kinds, sum(count) AS reports FROM error_reports WHERE last_at >= ?1
       GROUP BY build ORDER BY kinds DESC, build`,
    )
    .bind(from)
    .all<{ build: string; kinds: number; reports: number }>()
  return results
}
