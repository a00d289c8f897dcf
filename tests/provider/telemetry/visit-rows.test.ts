import { createHmac } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { BODY_BYTES_MAX } from '../../../contract/wire/body-limits.ts'
import { formatSignedBatch } from '../../../contract/telemetry/telemetry-calls.ts'
import {
  deleteExpiredVisits,
  deleteVisits,
  storeVisit,
  listVisitorHashes,
} from '../../../provider/telemetry/visit-rows.ts'
import { openNeighborhood, type Neighborhood } from '../../support/home.ts'
import { openTestDeployment } from '../../support/harness.ts'
import { sendSignedVisit, listStoredVisits, hashEmail, TEST_REVENUE_TOKEN } from '../../support/revenue.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

/** Last millisecond of a day, so that the next millisecond belongs to another day. */
const NOW = Date.UTC(2026, 0, 31) - 1
const personHash = hashEmail('a@example.com')
const otherPersonHash = hashEmail('b@example.com')

let neighborhood: Neighborhood
beforeAll(async () => {
  neighborhood = await openNeighborhood({ change: () => Promise.resolve({ REVENUE_TOKEN: TEST_REVENUE_TOKEN }) })
})
afterEach(() => neighborhood.bindings.DB.exec('DELETE FROM revenue_visits'))
afterAll(() => neighborhood.close())

const listVisits = () => listStoredVisits(neighborhood.bindings)
const listDays = async () => (await listVisits()).map(({ day }) => day)

describe('visit forwarded by the edge', () => {
  test('ANALYTICS-01 is stored once, under a name that no list of emails leads to', async () => {
    for (let n = 0; n < 3; n++) {
      const answer = await sendSignedVisit(neighborhood.stage.env, { person: personHash })
      expect([answer.status, await answer.json()]).toEqual([200, { code: 200 }])
    }
    // Two rows are possible if midnight lies between the requests.
    const names = new Set((await listVisits()).map((row) => row.person))
    expect([...names]).toEqual(listVisitorHashes(neighborhood.bindings, 'a@example.com'))
    expect([...names]).not.toContain(personHash)
    expect([...names][0]).toMatch(/^[\da-f]{64}$/)
    const plain = createHmac('sha256', neighborhood.stage.env.FACTOR_KEY).update(personHash).digest('hex')
    expect([...names]).not.toContain(plain)
  })

  test('is rejected if it is unsigned, or signed by another signer or for another purpose', async () => {
    const body = JSON.stringify({ person: personHash })
    const foreignSignature = createHmac('sha256', neighborhood.stage.env.MEDIA_KEY)
      .update(formatSignedBatch(body))
      .digest('hex')
    for (const signature of ['', '0'.repeat(64), foreignSignature])
      expect((await sendSignedVisit(neighborhood.stage.env, body, signature)).status).toBe(403)
    expect(await listVisits()).toEqual([])
  })

  test.each([
    ['is not JSON', '{{', 400],
    ['contains an email address instead of a hash', { person: 'a@example.com' }, 400],
    ['has an extra property', { person: personHash, email: 'a@example.com' }, 400],
    ['is too large', { person: personHash, more: 'x'.repeat(BODY_BYTES_MAX.revenue) }, 413],
  ])('is rejected if it %s', async (_, body, status) => {
    expect((await sendSignedVisit(neighborhood.stage.env, body)).status).toBe(status)
    expect(await listVisits()).toEqual([])
  })

  test('is not accepted without the REVENUE_TOKEN setting', async () => {
    const stageWithoutToken = await openTestDeployment({ change: () => ({ REVENUE_TOKEN: '' }) })
    try {
      expect((await sendSignedVisit(stageWithoutToken.env, { person: personHash })).status).toBe(404)
    } finally {
      await stageWithoutToken.close()
    }
  })
})

describe('stored visits', () => {
  test('are one row per person and UTC day', async () => {
    const added = []
    for (const at of [NOW, NOW, NOW + 1, NOW + DAY_MS])
      added.push(await storeVisit(neighborhood.bindings, personHash, at))
    expect(added).toEqual([true, false, true, false])
    expect(await storeVisit(neighborhood.bindings, otherPersonHash, NOW)).toBe(true)
    expect(await listDays()).toEqual(['2026-01-30', '2026-01-30', '2026-01-31'])
  })

  test('have another name under another key, and are deleted under every key used so far', async () => {
    const { FACTOR_KEY } = neighborhood.bindings
    const rotated = { ...neighborhood.bindings, FACTOR_KEY: 'n'.repeat(43), FACTOR_KEY_OLD: FACTOR_KEY }
    await storeVisit(neighborhood.bindings, personHash, NOW)
    await storeVisit(rotated, personHash, NOW)
    await storeVisit(rotated, otherPersonHash, NOW)
    expect(new Set((await listVisits()).map((row) => row.person)).size).toBe(3)
    await deleteVisits(rotated, 'a@example.com')
    expect((await listVisits()).map((row) => row.person)).toEqual(
      listVisitorHashes(rotated, 'b@example.com').slice(0, 1),
    )
  })

  test('are limited to 20,000 a day, and the next day accepts more', async () => {
    await neighborhood.bindings.DB.exec(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) INSERT INTO revenue_visits SELECT 'p' || i, '2026-01-30' FROM n",
    )
    expect(await storeVisit(neighborhood.bindings, personHash, NOW)).toBe(false)
    expect(await storeVisit(neighborhood.bindings, personHash, NOW + 1)).toBe(true)
    expect(await listVisits()).toHaveLength(20_001)
  })
})

describe('visits after 400 days', () => {
  test('are deleted, and the deletion reports whether any are left', async () => {
    await storeVisit(neighborhood.bindings, personHash, NOW)
    await storeVisit(neighborhood.bindings, personHash, NOW + DAY_MS)
    expect(await deleteExpiredVisits(neighborhood.bindings.DB, NOW + 400 * DAY_MS)).toBe(true)
    expect(await listDays()).toEqual(['2026-01-30', '2026-01-31'])
    expect(await deleteExpiredVisits(neighborhood.bindings.DB, NOW + 401 * DAY_MS)).toBe(true)
    expect(await listDays()).toEqual(['2026-01-31'])
    expect(await deleteExpiredVisits(neighborhood.bindings.DB, NOW + 402 * DAY_MS)).toBe(false)
    expect(await listDays()).toEqual([])
  })

  test('are deleted automatically, even if no analytics event is recorded', async () => {
    const insights = neighborhood.bindings.INSIGHTS.getByName('all')
    // Uses a visit of today, because `deleteExpired` schedules its next run a fixed time after its argument. If that
    // time were in the past, the run would start immediately.
    const recent = Date.now()
    await storeVisit(neighborhood.bindings, personHash, recent)
    await insights.deleteExpired(recent + 400 * DAY_MS)
    expect(await listDays()).toEqual([new Date(recent).toISOString().slice(0, 10)])
    await insights.deleteExpired(recent + 401 * DAY_MS)
    expect(await listDays()).toEqual([])
  })
})

test('visits are deleted with their account, including those in transit, and other visits stay', async () => {
  const leaver = { userId: 'user_a', email: 'a@example.com' }
  const now = Date.now()
  await storeVisit(neighborhood.bindings, personHash, NOW)
  await storeVisit(neighborhood.bindings, otherPersonHash, NOW)
  await neighborhood.bindings.DB.prepare("UPDATE accounts SET leaves_at = ? WHERE user_id = 'user_a'").bind(now).run()
  await neighborhood.bindings.LEAVES.getByName('user_a').remove(leaver, now)
  const left = listVisitorHashes(neighborhood.bindings, 'b@example.com')
  expect((await listVisits()).map((row) => row.person)).toEqual(left)
  await storeVisit(neighborhood.bindings, personHash, NOW)
  await neighborhood.bindings.LEAVES.getByName('user_a').processDue(now + 21 * 60_000)
  expect((await listVisits()).map((row) => row.person)).toEqual(left)
})
