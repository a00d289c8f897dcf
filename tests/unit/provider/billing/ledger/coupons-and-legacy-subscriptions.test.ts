import { describe, expect, test } from 'vitest'
import type { CouponUse } from '../../../../../provider/billing/ledger/ledger-calls.ts'
import { advanceTestClock } from '../../../../../provider/billing/ledger/test-clock.ts'
import { findNextBillingTime } from '../../../../../provider/billing/ledger/pending-charges.ts'
import {
  applyCoupon,
  previewCoupon,
  redeemCouponOption as useCoupon,
} from '../../../../../provider/billing/ledger/redemption.ts'
import { runIdempotent } from '../../../../../provider/billing/ledger/idempotency-keys.ts'
import { bills } from '../../../../../provider/billing/ledger/invoices.ts'
import { bindTo } from '../../../../../provider/billing/ledger/licenses.ts'
import {
  addMethod,
  setDefaultPaymentMethod,
  getPaymentMethods,
  removePaymentMethod,
} from '../../../../../provider/billing/ledger/payment-methods.ts'
import { addOpenings } from '../../../../../provider/billing/ledger/legacy-import.ts'
import { acknowledge, outgoing } from '../../../../../provider/billing/ledger/outbox.ts'
import { getEligibilityState } from '../../../../../provider/billing/ledger/eligibility-state.ts'
import { BillingService } from '../../../../../provider/billing/ledger/billing-service.ts'
import { CARD, openBook, type TestBook } from '../../../../support/book.ts'
import { at, buy, key, mustBalance, NOW, listSubscriptions, T1, T2 } from '../../../../support/buying.ts'
import { DAY_MS } from '../../../../../contract/time-units.ts'

describe('coupon', () => {
  const use = (kind: CouponUse['kind'], value: number, sku: CouponUse['sku'] = null): CouponUse => ({
    code: key(),
    kind,
    sku,
    value,
  })
  const redeem = ({ book, ctx }: TestBook, coupon: CouponUse, now: number) =>
    book.transaction(() =>
      runIdempotent(book, { intent: coupon.code, body: coupon }, now, () => applyCoupon(ctx, coupon, coupon.code, now)),
    )

  test('for credit pays the next invoices, three of which are shown, or waits', async () => {
    const town = openBook({ now: NOW })
    expect(previewCoupon(town.ctx, use('credit', 700), NOW)).toEqual([{ kind: 'waits', amount: 700 }])
    await buy(town, T1(), NOW)
    const changes = previewCoupon(town.ctx, use('credit', 700), NOW)
    expect(changes).toMatchObject([
      { kind: 'bill', total: 324, less: 324, pay: 0, at: at('2026-12-22T09:41:00') },
      { total: 324, less: 324, pay: 0, at: at('2027-01-22T09:41:00') },
      { total: 324, less: 52, pay: 272 },
    ])
    expect(previewCoupon(town.ctx, use('credit', 5000), NOW)).toHaveLength(3)
    redeem(town, use('credit', 700), NOW)
    expect(getPaymentMethods(town.ctx, NOW)).toMatchObject({ balance: 700, upcoming: [{ due: 0 }] })
    await advanceTestClock(town.ctx, town.till, { by: at('2027-02-22T09:41:00') - NOW, now: NOW })
    expect(bills(town.book).map(({ paid, balance_used }) => [paid, balance_used])).toEqual([
      [272, 52],
      [0, 324],
      [0, 324],
      [324, 0],
    ])
    mustBalance(town)
  })

  test('for free months ends the current plan, refunds unused time with tax, and renews at the price', async () => {
    const town = openBook({ now: NOW })
    await buy(town, T1(3), NOW - 14 * DAY_MS)
    const coupon = use('free_months', 2, 'unlimited')
    const until = at('2027-01-22T09:41:00')
    const changes = previewCoupon(town.ctx, coupon, NOW)
    expect(changes).toEqual([
      { kind: 'ends', sku: 'cam-ai', at: NOW, to_balance: 478 + 39 },
      { kind: 'free_until', sku: 'unlimited', at: until },
      { kind: 'then', period: 'monthly', total: 1081, first: 1081 - 517 },
    ])
    redeem(town, coupon, NOW)
    expect(town.book.balance()).toBe(517)
    expect(bills(town.book)[0]).toMatchObject({ kind: 'credit_note', total: -517 })
    await town.till.due(until)
    expect(bills(town.book)[0]).toMatchObject({ kind: 'invoice', total: 1081, paid: 564, balance_used: 517 })
    mustBalance(town)
  })

  test('for free months of the current plan is for as many cameras and keeps covering them', async () => {
    const town = openBook({ now: NOW })
    await buy(town, T1(3), NOW)
    const [paid] = listSubscriptions(town)
    const cameras = ['door', 'yard', 'shed']
    town.book.transaction(() => bindTo(town.book, paid?.subscription_id ?? '', cameras, cameras, NOW))
    const coupon = use('free_months', 2, 'cam-ai')
    const changes = previewCoupon(town.ctx, coupon, NOW)
    expect(changes).toContainEqual({ kind: 'then', period: 'monthly', total: 971, first: 0 })
    redeem(town, coupon, NOW)
    const free = listSubscriptions(town).find(({ over }) => !over)
    expect(free).toMatchObject({ sku: 'cam-ai', quantity: 3, free: true })
    const covered = town.book.all('licence').filter((license) => license.subscription_id === free?.subscription_id)
    expect(covered.map(({ device_id }) => device_id).toSorted()).toEqual(cameras.toSorted())
    mustBalance(town)
  })

  test('for free months ends automatically if no payment method pays', async () => {
    const town = openBook({ card: false })
    const coupon = use('free_months', 1, 'cam-ai')
    expect(previewCoupon(town.ctx, coupon, NOW)).toEqual([
      { kind: 'free_until', sku: 'cam-ai', at: at('2026-12-22T09:41:00') },
      { kind: 'ends_by_itself', at: at('2026-12-22T09:41:00') },
    ])
    redeem(town, coupon, NOW)
    await town.till.due(at('2026-12-22T09:41:00'))
    expect([listSubscriptions(town)[0]?.over, bills(town.book)]).toEqual([true, []])
  })

  test('is used once per account, with any key and in any letter case', () => {
    const town = openBook()
    const coupon = { ...use('credit', 700), code: 'GIFT-7' }
    const redeemCode = (code: string) =>
      town.book.transaction(() => useCoupon(town.ctx, key(), { ...coupon, code }, NOW))
    expect(redeemCode('GIFT-7')).toMatchObject({ state: 'done', balance: 700 })
    expect(redeemCode('gift-7')).toMatchObject({ state: 'refused', code: 4101, data: { reason: 'used' } })
    expect(town.book.balance()).toBe(700)
  })

  test('for a bonus is one license beside the others for its number of days', () => {
    const town = openBook()
    redeem(town, use('bonus', 30, 'cam-ai'), NOW)
    expect(listSubscriptions(town)).toMatchObject([
      { channel: 'bonus', status: 'trial', quantity: 1, until: NOW + 30 * DAY_MS },
    ])
  })
})

describe('licenses', () => {
  test('cover one camera each, are freed by removed cameras, and exclude cameras not owned', async () => {
    const town = openBook({ now: NOW })
    await buy(town, T1(2), NOW, { cameras: ['a', 'b', 'c'], own: ['a', 'b', 'c'] })
    const id = listSubscriptions(town)[0]?.subscription_id ?? ''
    const assign = (devices: string[], own: string[]) =>
      town.book.transaction(() => bindTo(town.book, id, devices, own, NOW))
    const no = (device_mac: string, why: string) => ({ device_mac, bound: false, why })
    const yes = (device_mac: string) => ({ device_mac, bound: true, why: null })
    expect(assign(['a', 'c', 'x'], ['a', 'b', 'c'])).toEqual([yes('a'), no('c', 'no_licence'), no('x', 'not_yours')])
    expect(assign(['c'], ['a', 'c'])).toEqual([yes('c')])
    acknowledge(town.book, outgoing(town.book))
    const entries = town.book.count('entries')
    expect(assign(['x', 'b'], ['a', 'b', 'c'])).toEqual([no('x', 'not_yours'), no('b', 'no_licence')])
    expect([town.book.count('entries'), outgoing(town.book)]).toEqual([entries, []])
    expect(assign(['a'], ['a', 'c'])).toEqual([yes('a')])
    expect([town.book.count('entries'), outgoing(town.book)]).toMatchObject([entries, [{ kind: 'subscription', id }]])
  })
})

describe('payment methods', () => {
  test('start with a default one, and keep the last good one of a renewing plan', async () => {
    const town = openBook({ now: NOW })
    const { book, ctx } = town
    await buy(town, T1(), NOW)
    const [card] = getPaymentMethods(ctx, NOW).methods
    expect(card).toMatchObject({ is_default: true, may_go: false, state: 'good' })
    expect(book.transaction(() => removePaymentMethod(book, card?.method_id ?? '', NOW))).toMatchObject({
      code: 4226,
      status: 402,
    })
    const ends = { month: 12, year: 2026 }
    const more = book.transaction(() => addMethod(ctx, 's2', { ...CARD, token: 't2', ends }, NOW))
    expect(more).toMatchObject({ is_default: false, state: 'ending', may_go: true })
    expect(book.transaction(() => addMethod(ctx, 's2', { ...CARD, token: 't9' }, NOW)).method_id).toBe(more.method_id)
    book.transaction(() => setDefaultPaymentMethod(book, more.method_id, NOW))
    expect(getPaymentMethods(ctx, NOW).upcoming).toMatchObject([{ method_id: more.method_id, would_fail: false }])
    const later = at('2027-01-01T00:00:00')
    expect(getPaymentMethods(ctx, later).methods.map(({ state, may_go }) => [state, may_go])).toEqual([
      ['good', false],
      ['ended', true],
    ])
    const left = book.transaction(() => removePaymentMethod(book, more.method_id, later))
    expect(left).toMatchObject([{ method_id: card?.method_id, is_default: true }])
  })
})

describe('subscription from before the ledger', () => {
  const opening = {
    subscription_id: 'sub_old',
    channel: 'web',
    status: 'active',
    billing_provider: 'card',
    since: 0,
  } as const

  test('counts as paid, renews from its own date, and is added once', async () => {
    const town = openBook({ now: NOW })
    const old = { ...opening, ...T2, renews_at: at('2027-06-08T00:00:00') }
    const add = () =>
      town.book.transaction(() =>
        addOpenings(town.ctx, [old], [{ device_id: 'a', subscription_id: 'sub_old', bound_at: 5 }], NOW),
      )
    add()
    add()
    expect(listSubscriptions(town)).toMatchObject([{ revision: 0, paid: 9999, from: at('2026-06-08T00:00:00') }])
    expect(town.book.all('licence')).toHaveLength(1)
    await town.till.due(old.renews_at)
    expect(listSubscriptions(town)[0]?.until).toBe(at('2028-06-08T00:00:00'))
    mustBalance(town)
  })

  test('that is active but ended long ago starts a current period without a charge', async () => {
    const town = openBook({ now: NOW })
    town.book.transaction(() => addOpenings(town.ctx, [{ ...opening, ...T1(), renews_at: 0 }], [], NOW))
    await town.till.due(NOW)
    expect([bills(town.book), listSubscriptions(town)[0]?.until]).toEqual([[], at('2026-12-01T00:00:00')])
  })

  test('that was declined has an open invoice with its remaining retries', async () => {
    const town = openBook({ now: NOW })
    const old = { ...opening, ...T1(), status: 'past_due' as const, renews_at: NOW + 10 * DAY_MS }
    town.book.transaction(() => addOpenings(town.ctx, [old], [], NOW))
    expect(listSubscriptions(town)[0]?.overdue).toMatchObject({ tries: 3 })
    await town.till.due(NOW + 3 * DAY_MS)
    expect([listSubscriptions(town)[0]?.status, bills(town.book)[0]?.paid]).toEqual(['active', 324])
    mustBalance(town)
  })

  test('that was sold elsewhere is never charged here', async () => {
    const town = openBook({ now: NOW })
    const old = { ...opening, ...T1(2), channel: 'amazon' as const, renews_at: NOW + DAY_MS }
    town.book.transaction(() => addOpenings(town.ctx, [old], [], NOW))
    await town.till.due(NOW + 40 * DAY_MS)
    expect([listSubscriptions(town)[0]?.status, town.gateway.asked]).toEqual(['active', 0])
  })

  test.each([
    ['elsewhere', 'amazon', true, []],
    ['here, where nothing is sold any more', 'web', false, ['void', 'void']],
  ] as const)('that was declined %s runs through its grace period and then ends', async (_, channel, sells, billed) => {
    const town = openBook({ now: NOW, sells, card: false })
    const ends = NOW + 10 * DAY_MS
    const old = { ...opening, ...T1(2), channel, status: 'past_due' as const, renews_at: ends }
    town.book.transaction(() => addOpenings(town.ctx, [old], [], NOW))
    for (let day = 0; day < 10; day += 1) await town.till.due(NOW + day * DAY_MS)
    expect(getEligibilityState(town.book, ends - 1).subscriptions).toMatchObject([{ isRunning: true, renews_at: ends }])
    await town.till.due(ends)
    expect(listSubscriptions(town)).toMatchObject([{ over: true, status: 'cancelled', until: ends }])
    await town.till.due(ends + 400 * DAY_MS)
    expect([town.gateway.asked, listSubscriptions(town)[0]?.until, findNextBillingTime(town.book)]).toEqual([
      0,
      ends,
      null,
    ])
    expect(bills(town.book).map(({ state }) => state)).toEqual(billed)
    mustBalance(town)
  })

  test('continues where nothing is sold anymore, as the plan chosen for its next period', async () => {
    const town = openBook({ now: NOW })
    await buy(town, T1(5), NOW)
    await buy(town, T1(2), NOW + DAY_MS)
    const shut = new BillingService(
      { ...town.ctx, gateway: null },
      { ticketKey: 'key', patience: () => Promise.resolve() },
    )
    await shut.due(at('2027-01-22T09:41:00'))
    expect(listSubscriptions(town)).toMatchObject([
      { quantity: 2, scheduled: null, paid: 0, until: at('2027-02-22T09:41:00') },
    ])
    expect(await town.gateway.charges()).toHaveLength(1)
  })
})
