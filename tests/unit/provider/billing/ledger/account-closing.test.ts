import { describe, expect, test } from 'vitest'
import { previewClosing } from '../../../../../provider/billing/ledger/account-closing.ts'
import { applyCoupon } from '../../../../../provider/billing/ledger/redemption.ts'
import { applyCancellation, leaveAll } from '../../../../../provider/billing/ledger/cancel-subscription.ts'
import { openBook, type TestBook } from '../../../../support/book.ts'
import { buy, mustBalance, NOW, type Plan, listSubscriptions, T1, T2 } from '../../../../support/buying.ts'
import { DAY_MS } from '../../../../../contract/time-units.ts'

const YEAR = (quantity: number): Plan => ({ sku: 'cam-ai', period: 'annual', quantity })
const HMS: Plan = { sku: 'hms', period: 'monthly', quantity: 1 }
const refunded = ({ book }: TestBook) => book.all('refund').reduce((sum, { cents }) => sum + cents, 0)
const leaveToTheEnd = (town: TestBook, now: number) =>
  town.book.transaction(() =>
    applyCancellation(town.ctx, listSubscriptions(town)[0]!, { way: 'end', reason: null }, now),
  )

describe('account deletion', () => {
  test('OPEN-180 refunds a plan that was canceled to the end of its period', async () => {
    const town = openBook({ now: NOW })
    await buy(town, T2, NOW)
    leaveToTheEnd(town, NOW)
    expect(previewClosing(town.ctx, NOW + DAY_MS).plans).toEqual([
      { sku: 'unlimited', way: 'now', ends_at: NOW + DAY_MS, to_method: 10_824 },
    ])
    await town.till.end(NOW + DAY_MS)
    expect([refunded(town), town.book.sumPostings('cash')]).toEqual([10_824, 0])
    mustBalance(town)
  })

  test('OPEN-180 refunds the collected part of the balance to the newest charges, and promotional credit expires', async () => {
    const town = openBook({ now: NOW })
    await buy(town, YEAR(20), NOW)
    await buy(town, T2, NOW)
    const [plan] = listSubscriptions(town)
    // After 14 days, canceling the plan refunds only its unused whole months.
    const later = NOW + 20 * DAY_MS
    const credit = { code: 'CREDIT', kind: 'credit' as const, sku: null, value: 2500 }
    town.book.transaction(() => applyCoupon(town.ctx, credit, 'intent', later))
    const moved = town.book.balance() - 2500
    expect([moved, plan?.sku]).toEqual([54_104, 'unlimited'])
    const preview = previewClosing(town.ctx, later)
    expect(preview).toMatchObject({ from_balance: moved, lapses: 2500, plans: [{ way: 'month_end' }] })
    await town.till.end(later)
    expect([refunded(town), town.book.balance()]).toEqual([moved + (preview.plans[0]?.to_method ?? 0), 0])
    mustBalance(town)
  })

  test('previews each plan without changing anything', async () => {
    const town = openBook({ now: NOW })
    await buy(town, T1(), NOW, { isTrial: true })
    await buy(town, HMS, NOW)
    const before = [...town.book.standing()]
    expect(previewClosing(town.ctx, NOW)).toMatchObject({
      plans: [{ sku: 'hms', way: 'now' }],
      free: ['cam-ai'],
      elsewhere: [],
    })
    expect([...town.book.standing()]).toEqual(before)
  })

  test('reports a plan as waiting for a pending charge, and not as free', async () => {
    const town = openBook({ now: NOW })
    await buy(town, T1(), NOW)
    const renewal = Date.UTC(2026, 11, 22, 9, 41, 1)
    town.gateway.faults = ['pending']
    await town.till.due(renewal)
    expect(previewClosing(town.ctx, renewal)).toMatchObject({ plans: [], waiting: ['cam-ai'], free: [] })
  })

  test('leaves a canceled plan unchanged if its cancellation refunds as much', async () => {
    const town = openBook({ now: NOW })
    await buy(town, T1(), NOW)
    const later = NOW + 20 * DAY_MS
    leaveToTheEnd(town, later)
    const before = listSubscriptions(town)
    town.book.transaction(() => leaveAll(town.ctx, later + DAY_MS))
    expect(listSubscriptions(town)).toEqual(before)
  })
})
