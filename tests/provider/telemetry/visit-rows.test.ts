import { createHmac } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { BODY_MAX } from '../../../contract/wire/body-limits.ts'
import { batchContent } from '../../../contract/telemetry/telemetry-calls.ts'
import { dropOldVisits, deleteVisits, storeVisit, listPersonKeys } from '../../../provider/telemetry/visit-rows.ts'
import { openNeighborhood, type Neighborhood } from '../../support/home.ts'
import { openStage } from '../../support/harness.ts'
import { handOnVisit, keptVisits, hashEmail, TOKEN } from '../../support/revenue.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

/** Last millisecond of a day, so that the next millisecond belongs to another day. */
const NOW = Date.UTC(2026, 0, 31) - 1
const person = hashEmail('a@example.com')
const other = hashEmail('b@example.com')

let town: Neighborhood
beforeAll(async () => {
  town = await openNeighborhood({ change: () => Promise.resolve({ REVENUE_TOKEN: TOKEN }) })
})
afterEach(() => town.bindings.DB.exec('DELETE FROM revenue_visits'))
afterAll(() => town.close())

const listVisits = () => keptVisits(town.bindings)
const listDays = async () => (await listVisits()).map(({ day }) => day)

describe('visit forwarded by the edge', () => {
  test('ANALYTICS-01 is stored once, under a name that no list of emails leads to', async () => {
    for (let n = 0; n < 3; n++) {
      const answer = await handOnVisit(town.stage.env, { person })
      expect([answer.status, await answer.json()]).toEqual([200, { code: 200 }])
    }
    // Two rows are possible if midnight lies between the requests.
    const names = new Set((await listVisits()).map((row) => row.person))
    expect([...names]).toEqual(listPersonKeys(town.bindings, 'a@example.com'))
    expect([...names]).not.toContain(person)
    expect([...names][0]).toMatch(/^[\da-f]{64}$/)
    const plain = createHmac('sha256', town.stage.env.FACTOR_KEY).update(person).digest('hex')
    expect([...names]).not.toContain(plain)
  })

  test('is rejected if it is unsigned, or signed by another signer or for another purpose', async () => {
    const body = JSON.stringify({ person })
    const otherwise = createHmac('sha256', town.stage.env.MEDIA_KEY).update(batchContent(body)).digest('hex')
    for (const signature of ['', '0'.repeat(64), otherwise])
      expect((await handOnVisit(town.stage.env, body, signature)).status).toBe(403)
    expect(await listVisits()).toEqual([])
  })

  test.each([
    ['is no JSON', '{{', 400],
    ['names an e-mail', { person: 'a@example.com' }, 400],
    ['has more in it', { person, email: 'a@example.com' }, 400],
    ['is too large', { person, more: 'x'.repeat(BODY_MAX.revenue) }, 413],
  ])('is rejected if it %s', async (_, body, status) => {
    expect((await handOnVisit(town.stage.env, body)).status).toBe(status)
    expect(await listVisits()).toEqual([])
  })

  test('is not accepted without the REVENUE_TOKEN setting', async () => {
    const off = await openStage({ change: () => ({ REVENUE_TOKEN: '' }) })
    try {
      expect((await handOnVisit(off.env, { person })).status).toBe(404)
    } finally {
      await off.close()
    }
  })
})

describe('stored visits', () => {
  test('are one row per person and UTC day', async () => {
    const added = []
    for (const at of [NOW, NOW, NOW + 1, NOW + DAY_MS]) added.push(await storeVisit(town.bindings, person, at))
    expect(added).toEqual([true, false, true, false])
    expect(await storeVisit(town.bindings, other, NOW)).toBe(true)
    expect(await listDays()).toEqual(['2026-01-30', '2026-01-30', '2026-01-31'])
  })

  test('have another name under another key, and are deleted under every key used so far', async () => {
    const { FACTOR_KEY } = town.bindings
    const rotated = { ...town.bindings, FACTOR_KEY: 'n'.repeat(43), FACTOR_KEY_OLD: FACTOR_KEY }
    await storeVisit(town.bindings, person, NOW)
    await storeVisit(rotated, person, NOW)
    await storeVisit(rotated, other, NOW)
    expect(new Set((await listVisits()).map((row) => row.person)).size).toBe(3)
    await deleteVisits(rotated, 'a@example.com')
    expect((await listVisits()).map((row) => row.person)).toEqual(listPersonKeys(rotated, 'b@example.com').slice(0, 1))
  })

  test('are limited to 20,000 a day, and the next day accepts more', async () => {
    await town.bindings.DB.exec(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) INSERT INTO revenue_visits SELECT 'p' || i, '2026-01-30' FROM n",
    )
    expect(await storeVisit(town.bindings, person, NOW)).toBe(false)
    expect(await storeVisit(town.bindings, person, NOW + 1)).toBe(true)
    expect(await listVisits()).toHaveLength(20_001)
  })
})

describe('visits after 400 days', () => {
  test('are deleted, and the deletion reports whether any are left', async () => {
    await storeVisit(town.bindings, person, NOW)
    await storeVisit(town.bindings, person, NOW + DAY_MS)
    expect(await dropOldVisits(town.bindings.DB, NOW + 400 * DAY_MS)).toBe(true)
    expect(await listDays()).toEqual(['2026-01-30', '2026-01-31'])
    expect(await dropOldVisits(town.bindings.DB, NOW + 401 * DAY_MS)).toBe(true)
    expect(await listDays()).toEqual(['2026-01-31'])
    expect(await dropOldVisits(town.bindings.DB, NOW + 402 * DAY_MS)).toBe(false)
    expect(await listDays()).toEqual([])
  })

  test('are deleted automatically, even if no analytics event is recorded', async () => {
    const insights = town.bindings.INSIGHTS.getByName('all')
    // Use a visit of today: `deleteExpired` schedules the next run a fixed time after `now`, and for a day long past
    // that alarm would fire immediately.
    const recent = Date.now()
    await storeVisit(town.bindings, person, recent)
    await insights.deleteExpired(recent + 400 * DAY_MS)
    expect(await listDays()).toEqual([new Date(recent).toISOString().slice(0, 10)])
    await insights.deleteExpired(recent + 401 * DAY_MS)
    expect(await listDays()).toEqual([])
  })
})

test('visits are deleted with their account, including those in transit, and other visits stay', async () => {
  const leaver = { userId: 'user_a', email: 'a@example.com' }
  const now = Date.now()
  await storeVisit(town.bindings, person, NOW)
  await storeVisit(town.bindings, other, NOW)
  await town.bindings.DB.prepare("UPDATE accounts SET leaves_at = ? WHERE user_id = 'user_a'").bind(now).run()
  await town.bindings.LEAVES.getByName('user_a').remove(leaver, now)
  const left = listPersonKeys(town.bindings, 'b@example.com')
  expect((await listVisits()).map((row) => row.person)).toEqual(left)
  await storeVisit(town.bindings, person, NOW)
  await town.bindings.LEAVES.getByName('user_a').processDue(now + 21 * 60_000)
  expect((await listVisits()).map((row) => row.person)).toEqual(left)
})
