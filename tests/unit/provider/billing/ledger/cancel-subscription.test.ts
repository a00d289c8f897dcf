import { describe, expect, test } from 'vitest'
import { runIdempotent } from '../../../../../provider/billing/ledger/idempotency-keys.ts'
import {
  applyCancellation,
  undoCancellation,
  cancellationOptions,
} from '../../../../../provider/billing/ledger/cancel-subscription.ts'
import { extendFreeTrial, findTrialExtension } from '../../../../../provider/billing/ledger/trial-extension.ts'
import { addOpenings } from '../../../../../provider/billing/ledger/legacy-import.ts'
import { outgoing } from '../../../../../provider/billing/ledger/outbox.ts'
import { planRefund } from '../../../../../provider/billing/ledger/refunds.ts'
import { isRefused } from '../../../../../provider/billing/ledger/errors.ts'
import { isLive } from '../../../../../provider/billing/ledger/subscription-rules.ts'
import { openBook, type TestBook } from '../../../../support/book.ts'
import { at, buy, mustBalance, NOW, listSubscriptions, quoted, T1, T2 } from '../../../../support/buying.ts'
import { DAY_MS } from '../../../../../contract/time-units.ts'

const JUNE = at('2026-06-08T10:00:00')
const only = (town: TestBook) => listSubscriptions(town)[0]!
const waysNow = (town: TestBook, now: number) => {
  const ways = cancellationOptions(town.ctx, only(town).subscription_id, now)
  if (isRefused(ways)) throw new Error(String(ways.code))
  return ways
}
const leaveNow = (town: TestBook, way: 'now' | 'month_end' | 'end', now: number) =>
  town.book.transaction(() => applyCancellation(town.ctx, only(town), { way, reason: null }, now))
const refunds = ({ gateway }: TestBook) => [...gateway.refunds.values()].map(({ cents }) => cents)
/** Runs the ledger's alarm, then sends open refunds to the gateway as the outbox dispatcher does. */
async function runDueTasks(town: TestBook, now: number): Promise<void> {
  await town.till.due(now)
  for (const refund of town.book.all('refund')) {
    if (refund.state === 'open') await town.gateway.refund('', refund.charge_id, refund.refund_id, refund.cents)
  }
}

describe('annual plan cancellation', () => {
  test('refunds the unused whole months to the cent when the current month ends', async () => {
    const town = openBook({ now: JUNE })
    await buy(town, T2, JUNE)
    const [first, second] = waysNow(town, NOW)
    expect(first).toMatchObject({ way: 'month_end', ends_at: at('2026-12-08T10:00:00'), months: 6 })
    expect([first?.subtotal, first?.tax, first?.total, first?.to_method]).toEqual([-5000, -413, -5413, 5413])
    expect(second).toMatchObject({ way: 'end', ends_at: at('2027-06-08T10:00:00'), total: 0 })
    expect(leaveNow(town, 'month_end', NOW)).toMatchObject({ ends_at: at('2026-12-08T10:00:00'), to_method: 5413 })
    await runDueTasks(town, at('2026-12-08T09:59:59'))
    expect([refunds(town), isLive(only(town), at('2026-12-08T09:59:59'))]).toEqual([[], true])
    await runDueTasks(town, at('2026-12-08T10:00:00'))
    expect([refunds(town), isLive(only(town), at('2026-12-08T10:00:00'))]).toEqual([[5413], false])
    const [note] = town.book.all('invoice').filter(({ kind }) => kind === 'credit_note')
    expect(note).toMatchObject({ total: -5413, paid: -5413, refunded: 5413 })
    expect(note?.refers_to).toMatch(/-1$/)
    mustBalance(town)
  })

  test('refunds the newest charge first', async () => {
    const town = openBook({ now: JUNE })
    await buy(town, T2, JUNE)
    await runDueTasks(town, at('2027-06-08T10:00:00'))
    const [, newest] = town.book.all('charge').sort((a, b) => a.begun_at - b.begun_at)
    leaveNow(town, 'month_end', at('2027-11-22T09:41:00'))
    await runDueTasks(town, at('2027-12-08T10:00:00'))
    expect([...town.gateway.refunds.values()]).toEqual([{ key: newest?.charge_id, cents: 5413 }])
    mustBalance(town)
  })

  test('can be undone until the end at no cost, and the plan continues unchanged', async () => {
    const town = openBook({ now: JUNE })
    await buy(town, T2, JUNE)
    const before = only(town)
    leaveNow(town, 'month_end', NOW)
    const answer = town.book.transaction(() => undoCancellation(town.ctx, only(town), at('2026-12-08T09:00:00')))
    expect(answer).toMatchObject({ renews_at: before.until })
    expect(only(town)).toEqual({ ...before, revision: before.revision + 2 })
    await runDueTasks(town, at('2026-12-09T00:00:00'))
    expect([refunds(town), only(town).status]).toEqual([[], 'active'])
    mustBalance(town)
  })

  test('refunds the uncollected part to the balance', async () => {
    const town = openBook({ now: JUNE })
    town.book.transaction(() => {
      town.book.enter('credit', 'CREDIT', JUNE, [
        ['promotion', 9000],
        ['balance', -9000],
      ])
    })
    await buy(town, T2, JUNE)
    const [first] = waysNow(town, JUNE + 40 * DAY_MS)
    expect(first).toMatchObject({ way: 'month_end', months: 10 })
    // $108.24 was invoiced and $18.24 of it collected: the card gets back only the collected part.
    expect([first?.total, first?.to_method, first?.to_balance]).toEqual([-9020, 1824, 7196])
    leaveNow(town, 'month_end', JUNE + 40 * DAY_MS)
    await runDueTasks(town, JUNE + 70 * DAY_MS)
    expect([refunds(town), town.book.balance()]).toEqual([[1824], 7196])
    mustBalance(town)
  })
})

describe('cancellation within 14 days of the first charge', () => {
  test('refunds everything immediately and ends the entitlement', async () => {
    const town = openBook({ now: NOW })
    await buy(town, T1(3), NOW)
    await buy(town, { sku: 'unlimited', period: 'monthly', quantity: 1 }, NOW + 2 * DAY_MS)
    const paid = town.book.all('invoice').reduce((sum, bill) => sum + bill.paid, 0)
    const [first, second] = waysNow(town, NOW + 14 * DAY_MS - 1)
    expect([first?.way, first?.to_method, second?.way]).toEqual(['now', paid, 'end'])
    leaveNow(town, 'now', NOW + 14 * DAY_MS - 1)
    await runDueTasks(town, NOW + 14 * DAY_MS - 1)
    expect(refunds(town).reduce((sum, cents) => sum + cents, 0)).toBe(paid)
    expect([isLive(only(town), NOW + 14 * DAY_MS), town.book.sumPostings('cash')]).toEqual([false, 0])
    mustBalance(town)
  })

  test('leaves nothing on the card that could be refunded again', async () => {
    const town = openBook({ now: NOW })
    await buy(town, T1(3), NOW)
    const back = () => planRefund(town.book, only(town).subscription_id, 971, true)
    expect(back()).toMatchObject({ to_method: 971, to_balance: 0 })
    leaveNow(town, 'now', NOW + DAY_MS)
    expect(back()).toEqual({ to_method: 0, to_balance: 971, from_balance: 0, parts: [] })
  })

  test('counts from the first invoice above $0', async () => {
    const town = openBook({ now: NOW })
    await buy(town, T1(), NOW, { discount: { code: 'FIRST100', kind: 'percent', value: 100 } })
    const renewal = at('2026-12-22T09:41:00')
    expect(waysNow(town, renewal - DAY_MS).map(({ way }) => way)).toEqual(['end'])
    await town.till.due(renewal)
    expect(town.book.all('invoice').map(({ total }) => total)).toEqual([0, 324])
    const [first, second] = waysNow(town, renewal + DAY_MS)
    expect([first?.way, first?.to_method, second?.way]).toEqual(['now', 324, 'end'])
    expect(waysNow(town, renewal + 14 * DAY_MS).map(({ way }) => way)).toEqual(['end'])
  })

  test('notifies the account once', async () => {
    const town = openBook({ now: NOW })
    await buy(town, T1(), NOW)
    leaveNow(town, 'now', NOW + DAY_MS)
    await runDueTasks(town, NOW + 40 * DAY_MS)
    const notices = outgoing(town.book).filter((message) => message.kind === 'message' && message.what === 'plan_ended')
    const facts = { sku: 'cam-ai', at: NOW + DAY_MS, deleted_at: NOW + 15 * DAY_MS }
    expect(notices).toMatchObject([{ at: NOW + DAY_MS, facts }])
  })

  test('offers only the period end after the 14 days', async () => {
    const town = openBook({ now: NOW })
    await buy(town, T1(3), NOW)
    expect(waysNow(town, NOW + 14 * DAY_MS).map(({ way }) => way)).toEqual(['end'])
    expect(leaveNow(town, 'now', NOW + 14 * DAY_MS)).toMatchObject({ state: 'refused', code: 'stale' })
  })
})

describe('full refund', () => {
  test('excludes used months that were paid from the balance', async () => {
    const town = openBook({ now: NOW })
    town.book.transaction(() => {
      town.book.enter('credit', 'CREDIT', NOW, [
        ['promotion', 400],
        ['balance', -400],
      ])
    })
    await buy(town, T1(), NOW)
    await town.till.due(at('2026-12-22T09:41:00'))
    expect(town.book.all('invoice').map(({ paid }) => paid)).toEqual([0, 248])
    expect(waysNow(town, at('2026-12-23T09:41:00')).map(({ way }) => way)).toEqual(['end'])
  })

  test('excludes a plan from before the ledger', () => {
    const town = openBook({ now: NOW })
    const before = { subscription_id: 'old', sku: 'hms', channel: 'web', status: 'active', quantity: 1 } as const
    const old = { ...before, period: 'annual', billing_provider: 'card', since: NOW - 300 * DAY_MS } as const
    town.book.transaction(() => addOpenings(town.ctx, [{ ...old, renews_at: NOW + 65 * DAY_MS }], [], NOW))
    const ways = cancellationOptions(town.ctx, 'old', NOW)
    expect(isRefused(ways) ? ways : ways.map(({ way }) => way)).toEqual(['month_end', 'end'])
  })
})

describe('rejected cancellation', () => {
  test('a free trial or unknown plan cannot be canceled, and an outdated page cannot reactivate one', async () => {
    const town = openBook({ now: NOW })
    await buy(town, T1(), NOW, { isTrial: true })
    expect(cancellationOptions(town.ctx, only(town).subscription_id, NOW)).toMatchObject({ code: 'ends' })
    expect(cancellationOptions(town.ctx, 'nobodys', NOW)).toMatchObject({ code: 404 })
    const { subscription_id, revision } = only(town)
    const stale = { subscription_id, revision: revision - 1 }
    expect(town.book.transaction(() => undoCancellation(town.ctx, stale, NOW))).toMatchObject({ code: 'stale' })
  })

  test('a plan bought through another channel cannot be canceled', () => {
    const town = openBook({ now: NOW })
    const plan = { subscription_id: 'amazon_plan', sku: 'cam-ai', channel: 'amazon', status: 'active' } as const
    const more = { quantity: 1, period: 'monthly', billing_provider: 'recurring', since: NOW - DAY_MS } as const
    town.book.transaction(() => addOpenings(town.ctx, [{ ...plan, ...more, renews_at: NOW + 29 * DAY_MS }], [], NOW))
    expect(cancellationOptions(town.ctx, 'amazon_plan', NOW)).toMatchObject({ state: 'refused', code: 403 })
    expect(leaveNow(town, 'end', NOW)).toMatchObject({ state: 'refused', code: 403 })
    expect(only(town)).toMatchObject({ status: 'active', leaving: null })
  })

  test.each([-1, 1])('a revision that is off by %i is rejected as stale', async (difference) => {
    const town = openBook({ now: NOW })
    await buy(town, T1(), NOW)
    const before = only(town)
    const version = { ...before, revision: before.revision + difference }
    const answer = town.book.transaction(() => applyCancellation(town.ctx, version, { way: 'now', reason: null }, NOW))
    expect(answer).toMatchObject({ state: 'refused', code: 'stale' })
    expect([only(town), town.book.all('refund')]).toEqual([before, []])
  })

  test('the same idempotency key cancels only once', async () => {
    const town = openBook({ now: NOW })
    await buy(town, T1(), NOW)
    const subscription = only(town)
    const cancelNow = () =>
      town.book.transaction(() =>
        runIdempotent(town.book, { intent: 'intent_of_leaving', body: 1 }, NOW, () =>
          applyCancellation(town.ctx, subscription, { way: 'now', reason: 'price' }, NOW),
        ),
      )
    expect(cancelNow()).toEqual(cancelNow())
    expect(town.book.all('refund')).toHaveLength(1)
  })
})

test('canceling a past-due plan clears its debt and ends it immediately', async () => {
  const town = openBook({ now: NOW })
  await buy(town, T1(), NOW)
  town.gateway.faults = ['declined']
  await town.till.due(at('2026-12-22T09:41:01'))
  expect([only(town).status, town.book.sumPostings('receivable')]).toEqual(['past_due', 324])
  expect(waysNow(town, at('2026-12-22T10:00:00')).map(({ way }) => way)).toEqual(['now'])
  leaveNow(town, 'now', at('2026-12-22T10:00:00'))
  expect([only(town).over, town.book.sumPostings('receivable')]).toEqual([true, 0])
  mustBalance(town)
})

test('OPEN-179 a changed past-due plan starts on the due date of its open invoice', async () => {
  const town = openBook({ now: NOW })
  await buy(town, T1(), NOW)
  const due = at('2026-12-22T09:41:00')
  const later = due + 13 * DAY_MS
  for (const day of [0, 1, 3, 7]) {
    town.gateway.faults = ['declined']
    await town.till.due(due + day * DAY_MS)
  }
  const { quote, ask } = await quoted(town, T2, later)
  const [line] = quote.lines
  expect([quote.starts_at, line?.from, line?.to, quote.next?.at]).toEqual([
    ...[due, due, at('2027-12-22T09:41:00'), at('2027-12-22T09:41:00')],
  ])
  await town.till.purchase(ask, later)
  expect(only(town)).toMatchObject({ status: 'active', from: due, until: at('2027-12-22T09:41:00'), overdue: null })
  mustBalance(town)
})

test('a free trial can be extended twice, then 4302 reports the maximum', async () => {
  const town = openBook({ now: NOW })
  await buy(town, T1(), NOW, { isTrial: true })
  const { subscription_id, until } = only(town)
  const more = () => town.book.transaction(() => extendFreeTrial(town.book, subscription_id, NOW))
  expect([more(), more()]).toEqual([
    { used: 7, maximum: 14, until: until + 7 * DAY_MS },
    { used: 14, maximum: 14, until: until + 14 * DAY_MS },
  ])
  expect(more()).toMatchObject({ code: 4302 })
  expect(findTrialExtension(town.book, NOW)).toMatchObject({ used: 14, until: until + 14 * DAY_MS })
  await town.till.due(until + 14 * DAY_MS - 1)
  expect(only(town).over).toBe(false)
  await town.till.due(until + 14 * DAY_MS)
  expect([only(town).over, only(town).until]).toEqual([true, until + 14 * DAY_MS])
})
