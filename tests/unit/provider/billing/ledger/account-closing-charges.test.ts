import { describe, expect, test } from 'vitest'
import { outgoing } from '../../../../../provider/billing/ledger/outbox.ts'
import { type Fault, openBook } from '../../../../support/book.ts'
import { buy, mustBalance, NOW, listSubscriptions, quoted, T1, T2 } from '../../../../support/buying.ts'
import { DAY_MS, MINUTE_MS } from '../../../../../contract/time-units.ts'

describe('charges and plans of a deleted account', () => {
  test.each<[string, Fault[]]>([
    ['the bank still thinks about', ['pending']],
    ['nobody was heard of', ['down', 'down']],
    ['was authorised and not collected', ['ok', 'down', 'down']],
  ])('a purchase that %s is never collected', async (_, faults) => {
    const town = openBook({ now: NOW })
    const { ask } = await quoted(town, T1(), NOW)
    town.gateway.faults = faults
    await town.till.purchase(ask, NOW)
    const { asked: requestCount } = town.gateway
    await town.till.end(NOW + 1)
    await town.till.due(NOW + DAY_MS)
    expect([town.gateway.asked, await town.gateway.charges(), listSubscriptions(town)]).toEqual([requestCount, [], []])
    expect(await town.till.purchase(ask, NOW + DAY_MS)).toMatchObject({ state: 'refused', code: 404 })
    const [charge] = town.book.all('charge')
    expect(await town.till.task(charge?.charge_id ?? '', NOW + DAY_MS)).toMatchObject({ state: 'failed' })
    mustBalance(town)
  })

  test('a collected purchase is in the ledger even if the response was lost', async () => {
    const town = openBook({ now: NOW })
    const { ask } = await quoted(town, T1(), NOW)
    town.gateway.faults = ['ok', 'lost', 'lost']
    await town.till.purchase(ask, NOW)
    await town.till.end(NOW + 1)
    expect(await town.gateway.charges()).toHaveLength(1)
    expect(town.book.all('charge')).toMatchObject([{ state: 'booked', charge: expect.any(String) }])
    mustBalance(town)
  })

  test('a pending renewal is not requested again, and the plan ends', async () => {
    const town = openBook({ now: NOW })
    await buy(town, T1(), NOW)
    const end = listSubscriptions(town)[0]?.until ?? 0
    town.gateway.faults = ['pending']
    await town.till.due(end)
    const { asked: requestCount } = town.gateway
    await town.till.end(end + MINUTE_MS)
    expect([town.gateway.asked, listSubscriptions(town)[0]]).toMatchObject([
      requestCount,
      { over: true, status: 'cancelled' },
    ])
    expect(await town.gateway.charges()).toHaveLength(1)
    mustBalance(town)
  })

  test('a request in flight is the last one', async () => {
    const town = openBook({ now: NOW })
    const { ask } = await quoted(town, T1(), NOW)
    const authorize = town.gateway.authorize.bind(town.gateway)
    const ends: Promise<void>[] = []
    town.gateway.authorize = async (request) => {
      ends.push(town.till.end(NOW))
      return await authorize(request)
    }
    expect(await town.till.purchase(ask, NOW)).toMatchObject({ state: 'refused', code: 404 })
    await Promise.all(ends)
    expect([town.gateway.asked, await town.gateway.charges()]).toEqual([1, []])
  })

  test('every plan ends immediately, with the first cancellation option offered', async () => {
    const town = openBook({ now: NOW })
    await buy(town, T1(3), NOW - 20 * DAY_MS)
    await buy(town, { sku: 'hms', period: 'monthly', quantity: 1 }, NOW)
    const [, monitoring] = listSubscriptions(town)
    const paid = town.book.all('invoice').find((bill) => bill.subscription_id === monitoring?.subscription_id)?.paid
    expect(paid).toBeGreaterThan(0)
    await town.till.end(NOW + DAY_MS)
    expect(listSubscriptions(town)).toMatchObject([
      { status: 'cancelled', over: true, until: NOW + DAY_MS, leaving: { way: 'end' } },
      { status: 'cancelled', over: true, until: NOW + DAY_MS, leaving: { way: 'now' } },
    ])
    expect(town.book.all('refund').map(({ cents }) => cents)).toEqual([paid])
    mustBalance(town)
  })

  test('the payment method is deleted at the gateway, and nothing can be bought any more', async () => {
    const town = openBook({ now: NOW })
    const { ask } = await quoted(town, T2, NOW)
    await town.till.end(NOW)
    expect(town.book.all('method')).toEqual([])
    expect(outgoing(town.book).filter(({ kind }) => kind === 'forget')).toMatchObject([{ token: 'token_1' }])
    expect(await town.till.purchase(ask, NOW)).toMatchObject({ state: 'refused', code: 404 })
    const order = { ...T2, changes: null, discount: null, isTrial: false }
    expect(await town.till.preview(order, NOW)).toMatchObject({ state: 'refused', code: 404 })
  })
})
