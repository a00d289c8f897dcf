import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { BODY_BYTES_MAX } from '../../../../contract/wire/body-limits.ts'
import type { StoredAnalyticsEvent } from '../../../../contract/telemetry/telemetry-calls.ts'
import type { Env } from '../../../../provider/env.ts'
import { MAX_EVENTS_PER_OBJECT } from '../../../../provider/telemetry/insights/analytics-event-rows.ts'
import {
  deleteUserData,
  listInsightsObjects,
  storeEvents,
} from '../../../../provider/telemetry/insights/insights-objects.ts'
import { buildEventReport } from '../../../../provider/telemetry/insights/merged-report.ts'
import { openTestDeployment, type TestDeployment } from '../../../support/harness.ts'
import {
  createStoredEvent,
  createUuid,
  deleteStoredEvents,
  listDayObjects,
  listStoredEvents,
  sendSignedBatch,
} from '../../../support/measured.ts'
import { DAY_MS } from '../../../../contract/time-units.ts'

/** Reference time, one day in the past so that no event time is clamped to the current time. */
const NOW = Date.now() - DAY_MS

/** Tables of the object `all` of version 0.1 before the objects per day. */
const ARCHIVE_SCHEMA = `
  CREATE TABLE schema_version (version INTEGER NOT NULL);
  INSERT INTO schema_version VALUES (1);
  CREATE TABLE events (
    id TEXT PRIMARY KEY NOT NULL, type TEXT NOT NULL, at INTEGER NOT NULL, session INTEGER NOT NULL, device TEXT NOT NULL,
    user TEXT NOT NULL, route TEXT NOT NULL, build TEXT NOT NULL, props TEXT NOT NULL,
    metric TEXT, page TEXT NOT NULL, value REAL, flag TEXT, variant TEXT, who TEXT NOT NULL
  );
  CREATE INDEX events_at ON events (at, device, session);
  CREATE TABLE days (day INTEGER PRIMARY KEY, taken INTEGER NOT NULL, left_out INTEGER NOT NULL);`

let deployment: TestDeployment
let bindings: Env
beforeAll(async () => {
  deployment = await openTestDeployment()
  bindings = (await deployment.provider.getWorker().getEnv()) as Env
})
afterEach(() => deleteStoredEvents(bindings))
afterAll(() => deployment.close())

const store = (events: readonly StoredAnalyticsEvent[], now = NOW) => storeEvents(bindings, events, 1, now)
const getStorage = (name: string) => deployment.provider.getWorker().getDurableObjectStorage('INSIGHTS', { name })
const getReport = () => buildEventReport(bindings, { from: NOW - 89 * DAY_MS, to: NOW + DAY_MS }, null)
const buildEvents = (from: number, count: number, at = NOW) =>
  Array.from({ length: count }, (_, n) => createStoredEvent(from + n, at))

describe('an analytics batch from the edge', () => {
  test('ANALYTICS-08 is stored whole, each event once however often it arrives', async () => {
    const events = [
      createStoredEvent(1, NOW),
      createStoredEvent(2, NOW, { user: '', props: { ms: 812.5, metric: 'LCP' } }),
    ]
    for (const added of [2, 0]) {
      const answer = await sendSignedBatch(deployment.env, { events })
      expect([answer.status, await answer.json()]).toEqual([200, { code: 200, data: { added } }])
    }
    expect((await sendSignedBatch(deployment.env, { events: [...events, createStoredEvent(3, NOW)] })).status).toBe(200)
    expect(await listStoredEvents(deployment)).toEqual([...events, createStoredEvent(3, NOW)])
  })

  test('is rejected without a signature or with a wrong one', async () => {
    const before = await listStoredEvents(deployment)
    for (const signature of ['', '0'.repeat(64)])
      expect((await sendSignedBatch(deployment.env, { events: [createStoredEvent(9, NOW)] }, signature)).status).toBe(
        403,
      )
    expect(await listStoredEvents(deployment)).toEqual(before)
  })

  test.each([
    ['is not JSON', '{{', 400],
    ['is empty', { events: [] }, 400],
    ['has too many events', { events: buildEvents(100, 501) }, 400],
    ['has a malformed event', { events: [createStoredEvent(9, NOW), { id: 'x' }] }, 400],
    ['has an event type that is too long', { events: [createStoredEvent(9, NOW, { type: 'x'.repeat(81) })] }, 400],
    ['is too large', { events: [], more: 'x'.repeat(BODY_BYTES_MAX.measured) }, 413],
  ])('that %s is rejected as a whole', async (_, batch, status) => {
    const before = await listStoredEvents(deployment)
    expect((await sendSignedBatch(deployment.env, batch)).status).toBe(status)
    expect(await listStoredEvents(deployment)).toEqual(before)
  })

  test('is masked a second time', async () => {
    const leaky = createStoredEvent(20, NOW, { props: { target: 'mail owner@example.com' } })
    expect((await sendSignedBatch(deployment.env, { events: [leaky] })).status).toBe(200)
    expect(JSON.stringify(await listStoredEvents(deployment))).not.toContain('owner@example.com')
  })
})

test('counts ten thousand events exactly, even if batches overlap', async () => {
  let added = 0
  for (let from = 0; from < 10_000; from += 400) added += await store(buildEvents(from, 500))
  expect(added).toBe(10_100)
  expect(await listStoredEvents(deployment)).toHaveLength(10_100)
})

test('an event is one written row, and a batch writes no other row', async () => {
  await store(buildEvents(0, 1))
  const [object] = await listDayObjects(bindings)
  const { added, rowsWritten } = await bindings.INSIGHTS.getByName(object!.name).storeEvents(
    object!,
    buildEvents(1, 500),
  )
  expect({ added, rowsWritten }).toEqual({ added: 500, rowsWritten: 500 })
})

describe('events of several days', () => {
  test('are stored in one object per day, and with shards in one object per day and shard', async () => {
    const days = [NOW - DAY_MS, NOW]
    await store(days.map((at, n) => createStoredEvent(n, at)))
    const nameDay = (at: number) => new Date(at).toISOString().slice(0, 10)
    expect((await listDayObjects(bindings)).map(({ name }) => name)).toEqual(days.map((at) => `${nameDay(at)}/1-of-1`))
    await deleteStoredEvents(bindings)
    const browsers = Array.from({ length: 50 }, (_, n) => createStoredEvent(n, NOW, { device: createUuid(n) }))
    await storeEvents({ ...bindings, ANALYTICS_SHARDS: '4' }, browsers, 1, NOW)
    expect((await listDayObjects(bindings)).map(({ name }) => name)).toEqual(
      [1, 2, 3, 4].map((shard) => `${nameDay(NOW)}/${shard}-of-4`),
    )
    expect(await listStoredEvents(deployment)).toHaveLength(50)
  })

  test('are deleted with their object 90 days after the start of the day, without affecting the next day', async () => {
    await store([createStoredEvent(1, NOW), createStoredEvent(2, NOW + DAY_MS)], NOW + DAY_MS)
    const [first, second] = await listDayObjects(bindings)
    const insights = bindings.INSIGHTS.getByName(first!.name)
    await insights.deleteExpired(first!.day + 90 * DAY_MS - 1)
    expect(await listStoredEvents(deployment)).toHaveLength(2)
    expect(await store([createStoredEvent(3, NOW)], first!.day + 90 * DAY_MS)).toBe(0)
    await insights.deleteExpired(first!.day + 90 * DAY_MS)
    expect(await listDayObjects(bindings)).toEqual([second])
    expect(await (await getStorage(first!.name)).exec("SELECT name FROM sqlite_master WHERE name = 'events'")).toEqual(
      [],
    )
    expect((await getReport()).kept_since).toBe(NOW + DAY_MS)
  })
})

describe('a full object', () => {
  test('accepts no more, reports how many were left out, and does not affect other days', async () => {
    await store(buildEvents(1, 3))
    const [object] = await listDayObjects(bindings)
    const storage = await getStorage(object!.name)
    await storage.exec(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MAX_EVENTS_PER_OBJECT - 4})
       INSERT INTO events SELECT 'filler' || i, 'x', ${NOW}, 0, 'd', '', '', '', '{}' FROM n`,
    )
    // After a deletion, the object counts its events again.
    await bindings.INSIGHTS.getByName(object!.name).deleteUserData('user_2b')
    expect((await getReport()).left_out).toEqual([])
    expect(await store([...buildEvents(3, 3), createStoredEvent(9, NOW - DAY_MS)])).toBe(2)
    expect(await store(buildEvents(5, 2))).toBe(0)
    expect((await getReport()).left_out).toEqual([{ day: new Date(NOW).toISOString().slice(0, 10), events: 3 }])
  })
})

test('new events are stored before a report that is already being counted', async () => {
  const completionOrder: string[] = []
  for (let from = 0; from < 20_000; from += 500) await store(buildEvents(from, 500))
  const report = getReport().then(() => completionOrder.push('report'))
  const insertion = store([createStoredEvent(90_000, NOW)]).then(() => completionOrder.push('stored'))
  await Promise.all([report, insertion])
  expect(completionOrder).toEqual(['stored', 'report'])
})

test('deleting the data of an account keeps the events of others, on all days and shards', async () => {
  const others = [createStoredEvent(2, NOW, { user: 'user_2b' }), createStoredEvent(3, NOW, { user: '' })]
  const own = [0, 1, 2].map((ago) => createStoredEvent(10 + ago, NOW - ago * DAY_MS, { device: createUuid(ago) }))
  await storeEvents({ ...bindings, ANALYTICS_SHARDS: '2' }, [...own, ...others], 1, NOW)
  await deleteUserData(bindings, '')
  expect(await listStoredEvents(deployment)).toHaveLength(5)
  await deleteUserData(bindings, 'user_1a')
  expect(await listStoredEvents(deployment)).toEqual(others)
})

describe('events of an earlier version, in one object for all days', () => {
  const fillArchive = async () => {
    const storage = await getStorage('all')
    await storage.exec(ARCHIVE_SCHEMA)
    for (const [id, at, user] of [
      ['old-1', NOW, 'user_1a'],
      ['old-2', NOW - 20 * DAY_MS, ''],
    ])
      await storage.exec(
        `INSERT INTO events (id, type, at, session, device, user, route, build, props, page, who)
         VALUES (?, '[Amplitude] Page Viewed', ?, ?, 'd1', ?, '/', 'b', '{}', '', '')`,
        id,
        at,
        at,
        user,
      )
    await storage.exec('INSERT INTO days VALUES (?, 1, 7)', Math.floor(NOW / DAY_MS) * DAY_MS)
  }

  test('are in reports, are deleted with their account, and expire', async () => {
    await fillArchive()
    await store([createStoredEvent(1, NOW, { type: '[Amplitude] Page Viewed', device: 'd1', session: NOW })])
    const { visits, visitors, views, left_out, kept_since } = await getReport()
    expect({ visits, visitors, views, kept_since }).toEqual({
      visits: 2,
      visitors: 1,
      views: 3,
      kept_since: NOW - 20 * DAY_MS,
    })
    expect(left_out.map(({ events }) => events)).toEqual([7])
    await deleteUserData(bindings, 'user_1a')
    expect((await getReport()).views).toBe(1)
    const isListed = async () => (await listInsightsObjects(bindings.DB)).some(({ name }) => name === 'all')
    const archive = bindings.INSIGHTS.getByName('all')
    await archive.deleteExpired(NOW + 70 * DAY_MS)
    expect(await isListed()).toBe(true)
    await archive.deleteExpired(NOW + 70 * DAY_MS + 1)
    expect(await isListed()).toBe(false)
    expect((await getReport()).views).toBe(0)
  })
})
