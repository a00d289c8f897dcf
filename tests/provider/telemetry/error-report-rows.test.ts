import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ErrorReport } from '../../../contract/telemetry/telemetry-calls.ts'
import type { Env } from '../../../provider/env.ts'
import {
  MAX_BUILDS_PER_DAY,
  countErrorReports,
  deleteExpiredReports,
  saveErrorReport,
  MAX_GROUPS_PER_SOURCE,
  listErrorReports,
  MAX_NEW_GROUPS_PER_DAY,
} from '../../../provider/telemetry/error-report-rows.ts'
import { openTestDeployment, type TestDeployment } from '../../support/harness.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

const NOW = Date.UTC(2026, 10, 24, 12)
const MIDNIGHT = Date.UTC(2026, 10, 24)

let deployment: TestDeployment
let db: Env['DB']
beforeAll(async () => {
  deployment = await openTestDeployment()
  db = ((await deployment.provider.getWorker().getEnv()) as Env).DB
})
beforeEach(async () => {
  for (const table of ['error_reports', 'error_days']) await db.prepare(`DELETE FROM ${table}`).run()
})
afterAll(() => deployment.close())

/** Spells a number in letters: error groups ignore numbers and hex words of a message. */
const spellNumber = (n: number) => [...String(n)].map((digit) => 'ghijklmnop'[Number(digit)]).join('')
const buildReport = (n: number, from: ErrorReport['from'] = 'browser'): ErrorReport => ({
  level: 'error',
  from,
  at: 1,
  page: '/live',
  trail: [],
  errors: [{ name: 'Error', message: spellNumber(n), frames: [] }],
})
async function saveReports(
  count: number,
  now: number,
  from: ErrorReport['from'] = 'browser',
  first = 0,
): Promise<void> {
  for (let n = first; n < first + count; n++) await saveErrorReport(db, buildReport(n, from), 'b1', now)
}
/** Inserts `count` browser error groups last seen at `now`, without day counts. */
const insertReportGroups = (count: number, now: number) =>
  db
    .prepare(
      `INSERT INTO error_reports (fingerprint, count, first_at, last_at, build, report, source)
       SELECT 'filled ' || ?1 || value, 1, ?1, ?1, 'b1', ?2, 'browser' FROM json_each(?3)`,
    )
    .bind(now, JSON.stringify(buildReport(0)), JSON.stringify([...Array(count).keys()]))
    .run()
const groupBySource = async (now: number) =>
  Object.groupBy(await listErrorReports(db, now), (kind) => kind.report.from ?? '')

describe('error groups invented by browsers', () => {
  test('displace no group of the edge, the provider or a bridge', async () => {
    for (const from of ['edge', 'provider', 'bridge'] as const)
      await saveErrorReport(db, buildReport(0, from), 'b1', NOW - 9 * DAY_MS)
    for (let day = 0; day < 4; day++) {
      await insertReportGroups(MAX_NEW_GROUPS_PER_DAY - 2, NOW + day * DAY_MS)
      await saveReports(3, NOW + day * DAY_MS, 'browser', day * 1000)
    }
    const { browser, ...others } = await groupBySource(NOW + 3 * DAY_MS)
    expect(browser).toHaveLength(MAX_GROUPS_PER_SOURCE.browser)
    expect(Object.keys(others).toSorted()).toEqual(['bridge', 'edge', 'provider'])
  })

  test('are limited per day: further ones are only counted, and known groups still update', async () => {
    await insertReportGroups(MAX_NEW_GROUPS_PER_DAY - 3, NOW)
    await saveReports(6, NOW)
    expect(await listErrorReports(db, NOW)).toHaveLength(MAX_NEW_GROUPS_PER_DAY)
    await saveErrorReport(db, buildReport(0), 'b1', NOW)
    const [kind] = (await listErrorReports(db, NOW)).filter(({ count }) => count === 2)
    expect(kind?.report.errors[0]?.message).toBe(spellNumber(0))
    expect(await countErrorReports(db, { from: MIDNIGHT, to: NOW + 1 })).toEqual([
      { build: 'b1', kinds: MAX_NEW_GROUPS_PER_DAY, reports: 7, left_out: 3 },
    ])
    await saveReports(1, NOW + DAY_MS, 'browser', 500)
    expect(await listErrorReports(db, NOW + DAY_MS)).toHaveLength(MAX_NEW_GROUPS_PER_DAY + 1)
  })

  test('are counted for a limited number of builds per day', async () => {
    for (let n = 0; n < MAX_BUILDS_PER_DAY + 2; n++) await saveErrorReport(db, buildReport(0), `b${n}`, NOW)
    const counts = await countErrorReports(db, { from: MIDNIGHT, to: NOW })
    expect(counts.find(({ build }) => build === 'others')).toMatchObject({ reports: 2 })
  })
})

test('reports are counted by reporting build and arrival day', async () => {
  await saveErrorReport(db, buildReport(1), 'b1', NOW - DAY_MS)
  for (const build of ['b1', 'b2', 'b2']) await saveErrorReport(db, buildReport(1), build, NOW)
  expect(await countErrorReports(db, { from: MIDNIGHT, to: NOW + 1 })).toEqual([
    { build: 'b2', kinds: 1, reports: 2, left_out: 0 },
    { build: 'b1', kinds: 0, reports: 1, left_out: 0 },
  ])
  expect(await countErrorReports(db, { from: MIDNIGHT - 6 * DAY_MS, to: NOW + 1 })).toMatchObject([
    { build: 'b1', reports: 2 },
    { build: 'b2', reports: 2 },
  ])
})

test('reports older than 30 days are not listed and are deleted automatically', async () => {
  await saveErrorReport(db, buildReport(1), 'b1', NOW)
  expect(await listErrorReports(db, NOW + 30 * DAY_MS)).toHaveLength(1)
  expect(await listErrorReports(db, NOW + 30 * DAY_MS + 1)).toEqual([])
  expect(await deleteExpiredReports(db, NOW + 30 * DAY_MS)).toBe(true)
  expect(await deleteExpiredReports(db, NOW + 31 * DAY_MS)).toBe(false)
  expect((await db.prepare('SELECT * FROM error_reports').all()).results).toEqual([])
})
