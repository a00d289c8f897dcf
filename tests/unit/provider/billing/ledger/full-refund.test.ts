import { expect, test } from 'vitest'
import { balanceParts } from '../../../../../provider/billing/ledger/balance.ts'
import { applyCoupon } from '../../../../../provider/billing/ledger/redemption.ts'
import { applyCancellation, cancellationOptions } from '../../../../../provider/billing/ledger/cancel-subscription.ts'
import { isRefused } from '../../../../../provider/billing/ledger/errors.ts'
import { openBook, type TestBook } from '../../../../support/book.ts'
import { buy, mustBalance, NOW, type Plan, listSubscriptions, T2 } from '../../../../support/buying.ts'
import { DAY_MS } from '../../../../../contract/time-units.ts'

const only = (town: TestBook) => listSubscriptions(town)[0]!
const leaveNow = (town: TestBook, now: number) =>
  town.book.transaction(() => applyCancellation(town.ctx, only(town), { way: 'now', reason: null }, now))
const refunded = ({ book }: TestBook) => book.all('refund').map(({ cents }) => cents)
const T1_YEAR = (quantity: number): Plan => ({ sku: 'cam-ai', period: 'annual', quantity })

test('OPEN-178 refunds every charge after a change that has moved money to the balance', async () => {
  const town = openBook({ now: NOW })
  await buy(town, T1_YEAR(99), NOW)
  const paid = town.book.sumPostings('cash')
  await buy(town, T2, NOW + DAY_MS)
  const moved = town.book.balance()
  expect([paid, moved]).toEqual([321_395, 309_691])
  const ways = cancellationOptions(town.ctx, only(town).subscription_id, NOW + 2 * DAY_MS)
  expect(isRefused(ways) || ways[0]).toMatchObject({ way: 'now', to_method: paid, to_balance: 0, from_balance: moved })
  leaveNow(town, NOW + 2 * DAY_MS)
  expect([refunded(town), town.book.balance(), town.book.sumPostings('cash')]).toEqual([[paid], 0, 0])
  mustBalance(town)
})

test('OPEN-178 refunds the rest of the balance when part of it has been spent', async () => {
  const town = openBook({ now: NOW })
  await buy(town, T1_YEAR(99), NOW)
  await buy(town, T2, NOW + DAY_MS)
  const billed = town.book.sumPostings('cash') - town.book.balance()
  await buy(town, { sku: 'hms', period: 'annual', quantity: 1 }, NOW + DAY_MS)
  const left = town.book.balance()
  const [plan] = listSubscriptions(town).filter(({ sku }) => sku === 'unlimited')
  const ways = cancellationOptions(town.ctx, plan?.subscription_id ?? '', NOW + 2 * DAY_MS)
  expect(isRefused(ways) || ways[0]).toMatchObject({ to_method: left + billed, from_balance: left })
})

test('OPEN-178 never pays out promotional credit', async () => {
  const town = openBook({ now: NOW })
  const credit = { code: 'CREDIT', kind: 'credit' as const, sku: null, value: 5000 }
  town.book.transaction(() => applyCoupon(town.ctx, credit, 'intent', NOW))
  await buy(town, T1_YEAR(4), NOW)
  expect([town.book.sumPostings('cash'), town.book.balance()]).toEqual([7986, 0])
  await buy(town, T2, NOW + DAY_MS)
  // The plan change credits the unused time. This credit counts as promotional up to the promotional credit that paid
  // the plan.
  expect(balanceParts(town.book)).toEqual({ collected: 0, promotional: 2126 })
  leaveNow(town, NOW + 2 * DAY_MS)
  expect([town.book.sumPostings('cash'), balanceParts(town.book)]).toEqual([0, { collected: 0, promotional: 5000 }])
  mustBalance(town)
})

test('OPEN-178 grants a full refund once in 12 months for camera plans, and separately for home monitoring', async () => {
  const town = openBook({ now: NOW })
  await buy(town, T2, NOW)
  leaveNow(town, NOW + DAY_MS)
  await buy(town, T2, NOW + 2 * DAY_MS)
  await buy(town, { sku: 'hms', period: 'monthly', quantity: 1 }, NOW + 2 * DAY_MS)
  const waysFor = (sku: string, now: number) => {
    const subscription = listSubscriptions(town).find((plan) => plan.sku === sku && !plan.over)
    const ways = cancellationOptions(town.ctx, subscription?.subscription_id ?? '', now)
    return isRefused(ways) ? [] : ways.map(({ way }) => way)
  }
  expect(waysFor('unlimited', NOW + 3 * DAY_MS)).toEqual(['month_end', 'end'])
  expect(waysFor('hms', NOW + 3 * DAY_MS)).toEqual(['now', 'end'])
  expect(
    applyCancellation(
      town.ctx,
      listSubscriptions(town).find(({ over }) => !over)!,
      { way: 'now', reason: null },
      NOW + 3 * DAY_MS,
    ),
  ).toMatchObject({ code: 'stale' })
})
