import { expect, test } from 'vitest'
import { advanceTestClock } from '../../../../../provider/billing/ledger/test-clock.ts'
import { pause, resumeSubscription } from '../../../../../provider/billing/ledger/pause-subscription.ts'
import { applyCancellation } from '../../../../../provider/billing/ledger/cancel-subscription.ts'
import { buildProjection } from '../../../../../provider/billing/ledger/projection.ts'
import { openBook, type TestBook } from '../../../../support/book.ts'
import { at, buy, mustBalance, NOW, listSubscriptions, T1, T2 } from '../../../../support/buying.ts'
import { DAY_MS } from '../../../../../contract/time-units.ts'

const only = (town: TestBook) => listSubscriptions(town)[0]!
const pauseFor = (town: TestBook, months: number, now: number) =>
  town.book.transaction(() => pause(town.book, only(town), months, now))
const charges = ({ gateway }: TestBook) => gateway.charges_.size

test('a pause costs nothing and moves every date by its length', async () => {
  const town = openBook({ now: NOW })
  await buy(town, T1(), NOW)
  const before = only(town)
  const pausedAt = NOW + 10 * DAY_MS
  const until = at('2027-02-02T09:41:00')
  expect(pauseFor(town, 2, pausedAt)).toMatchObject({ paused_until: until, renews_at: before.until + until - pausedAt })
  await town.till.due(before.until + DAY_MS)
  await town.till.due(until)
  expect([charges(town), only(town).paused]).toEqual([1, null])
  const renews = before.until + until - pausedAt
  await town.till.due(renews - 1)
  expect(charges(town)).toBe(1)
  await town.till.due(renews)
  expect([charges(town), only(town).from]).toEqual([2, renews])
  mustBalance(town)
})

test('a pause that ends early moves dates only by the paused time', async () => {
  const town = openBook({ now: NOW })
  await buy(town, T2, NOW)
  const { until } = only(town)
  pauseFor(town, 3, NOW + DAY_MS)
  town.book.transaction(() => resumeSubscription(town.book, only(town), NOW + 8 * DAY_MS))
  expect([only(town).until, only(town).paused]).toEqual([until + 7 * DAY_MS, null])
  expect(town.book.transaction(() => resumeSubscription(town.book, only(town), NOW + 9 * DAY_MS))).toMatchObject({
    code: 'stale',
  })
})

test('a plan that is canceled or changed during its pause resumes first', async () => {
  const town = openBook({ now: NOW })
  await buy(town, T1(), NOW)
  const { until } = only(town)
  pauseFor(town, 1, NOW + 20 * DAY_MS)
  town.book.transaction(() => applyCancellation(town.ctx, only(town), { way: 'end', reason: null }, NOW + 21 * DAY_MS))
  expect(only(town)).toMatchObject({ status: 'cancelled', until: until + DAY_MS, paused: null })
  const other = openBook({ now: NOW })
  await buy(other, T1(), NOW)
  pauseFor(other, 1, NOW + 20 * DAY_MS)
  await buy(other, T2, NOW + 21 * DAY_MS)
  expect(only(other)).toMatchObject({ sku: 'unlimited', paused: null, from: NOW + 21 * DAY_MS })
  mustBalance(other)
})

test('an unpaid or canceled plan cannot be paused', async () => {
  const town = openBook({ now: NOW })
  await buy(town, T1(), NOW)
  town.book.transaction(() => applyCancellation(town.ctx, only(town), { way: 'end', reason: null }, NOW + 20 * DAY_MS))
  expect(pauseFor(town, 1, NOW + 20 * DAY_MS)).toMatchObject({ code: 'stale' })
})

test('the test clock advances from one due time to the next', async () => {
  const town = openBook({ now: NOW })
  await buy(town, T1(), NOW)
  town.gateway.faults = ['ok', 'ok', 'declined']
  await advanceTestClock(town.ctx, town.till, { by: 65 * DAY_MS, now: NOW })
  // The 22 December charge succeeds; the one of 22 January is declined and its retry succeeds a day later.
  const bills = town.book.all('invoice').map(({ at: day, state }) => [new Date(day).toISOString().slice(0, 10), state])
  expect(bills).toEqual([
    ['2026-11-22', 'paid'],
    ['2026-12-22', 'paid'],
    ['2027-01-22', 'paid'],
  ])
  expect(town.book.all('invoice')[2]?.paid_at).toBe(at('2027-01-23T09:41:00'))
  expect(town.book.count('clock')).toBe(65 * DAY_MS)
  const [row] = buildProjection(town.book, { kind: 'subscription', id: only(town).subscription_id, seq: 1 }, 825)
  expect(row?.values).toContain(65 * DAY_MS)
  mustBalance(town)
})

test('a billing period wholly within a provider outage is not charged', async () => {
  const town = openBook({ now: NOW })
  await buy(town, T1(), NOW)
  await town.till.due(at('2027-02-23T09:41:00'))
  // The periods from 22 December and 22 January lie wholly within the outage and are waived. The period from 22
  // February is still running, so it is charged.
  const waived = town.book.sql.exec<{ n: number }>("SELECT count(*) AS n FROM entries WHERE kind = 'waived'").one()
  expect([waived.n, charges(town), only(town).until]).toEqual([2, 2, at('2027-03-22T09:41:00')])
  mustBalance(town)
})
