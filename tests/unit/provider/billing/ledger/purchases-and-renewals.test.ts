import { describe, expect, test } from 'vitest'
import { advanceTestClock } from '../../../../../provider/billing/ledger/test-clock.ts'
import { deriveAccountNumber, bills } from '../../../../../provider/billing/ledger/invoices.ts'
import { getEligibilityState } from '../../../../../provider/billing/ledger/eligibility-state.ts'
import { GatewayDown } from '../../../../../provider/billing/payment/gateway-interface.ts'
import { type Fault, Killed, openBook } from '../../../../support/book.ts'
import { at, buy, key, mustBalance, NOW, listSubscriptions, quoted, T1, T2 } from '../../../../support/buying.ts'
import { DAY_MS } from '../../../../../contract/time-units.ts'

describe('purchase', () => {
  test('of an upgrade two weeks after buying three cameras costs what look/money.md says', async () => {
    const town = openBook({ now: NOW })
    const { until, from } = { from: at('2026-11-08T09:41:00'), until: at('2026-12-08T09:41:00') }
    await buy(town, T1(3), from)
    expect(listSubscriptions(town)[0]?.until).toBe(until)
    const discount = { code: 'LAKE20', kind: 'percent', value: 20 } as const
    const answer = await buy(town, T2, NOW, { discount })
    expect(answer).toMatchObject({
      state: 'done',
      order: { paid: 8142, next: { at: at('2027-11-22T09:41:00'), total: 10_824 } },
    })
    const [bill] = bills(town.book)
    expect(bill?.lines.map(({ amount, tax }) => [amount, tax])).toEqual([
      [9999, 825],
      [-2000, -165],
      [-478, -39],
    ])
    expect(bill?.bill).toBe(`${deriveAccountNumber('user_a')}-2`)
    expect(getEligibilityState(town.book, NOW).redeemed).toEqual(['LAKE20'])
    mustBalance(town)
  })

  test('of an upgrade, then a downgrade, nets by the rule: the upgrade price stays until its end', async () => {
    const town = openBook({ now: NOW })
    await buy(town, T1(2), NOW)
    const up = await buy(town, T1(5), NOW + DAY_MS)
    expect(up).toMatchObject({ order: { paid: 1495 + 123 - 578 - 48 } })
    const down = await buy(town, T1(2), NOW + 2 * DAY_MS)
    expect(down).toMatchObject({ order: { paid: 0, is_later: true, bill: '' } })
    expect(listSubscriptions(town)[0]).toMatchObject({ quantity: 5, scheduled: { quantity: 2 } })
    await town.till.due(listSubscriptions(town)[0]?.until ?? 0)
    expect(listSubscriptions(town)[0]).toMatchObject({ quantity: 2, scheduled: null, paid: 598 })
    mustBalance(town)
  })

  test('of a downgrade is canceled at no cost by choosing the current plan, which then renews', async () => {
    const town = openBook({ now: NOW })
    await buy(town, T1(5), NOW)
    const end = listSubscriptions(town)[0]?.until ?? 0
    await buy(town, T1(2), NOW + DAY_MS)
    const off = { discount: { code: 'LAKE20', kind: 'percent', value: 20 } as const }
    await expect(quoted(town, T1(5), NOW + DAY_MS, off)).rejects.toThrow('4105')
    const { quote, ask } = await quoted(town, T1(5), NOW + DAY_MS)
    expect(quote).toMatchObject({ is_undo: true, is_later: false, change: 12, lines: [], total: 0, due: 0 })
    expect(quote.next).toEqual({ at: end, total: 1495 + 123 })
    expect(await town.till.purchase(ask, NOW + DAY_MS)).toMatchObject({ order: { paid: 0, bill: '' } })
    expect(listSubscriptions(town)).toMatchObject([
      { quantity: 5, scheduled: null, until: end, paid: 1495, revision: 3 },
    ])
    await expect(quoted(town, T1(5), NOW + DAY_MS)).rejects.toThrow('400')
    await town.till.due(end)
    expect(listSubscriptions(town)).toMatchObject([{ quantity: 5, from: end, paid: 1495 }])
    expect(bills(town.book)).toHaveLength(2)
    mustBalance(town)
  })

  test.each<[string, Fault[], number]>([
    ['its first question', ['killed before'], 9],
    ['the answer of its first question', ['killed after'], 9],
    ['its second question', ['ok', 'killed before'], 9],
    ['the answer of its second question', ['ok', 'killed after'], 9],
    ['anything', [], 0],
    ['the first answer is written', [], 1],
    ['the second answer is written', [], 2],
    ['it is booked', [], 3],
  ])('killed before %s is posted once', async (_, faults, transactions) => {
    const town = openBook({ now: NOW })
    const { ask } = await quoted(town, T1(), NOW)
    town.gateway.faults = faults
    town.killAfter(transactions + 1)
    await expect(town.till.purchase(ask, NOW)).rejects.toBeInstanceOf(Killed)
    town.restart()
    town.gateway.faults = []
    await town.till.due(NOW + 60_000)
    const answer = await town.till.purchase(ask, NOW + 60_000)
    expect(answer).toMatchObject({ state: 'done', order: { paid: 324 } })
    expect(await town.gateway.charges()).toHaveLength(1)
    expect(listSubscriptions(town)).toHaveLength(1)
    mustBalance(town)
  })

  test('with the gateway down charges nothing, says so, and resumes by a click with the same key', async () => {
    const town = openBook({ now: NOW })
    const { ask } = await quoted(town, T1(), NOW)
    town.gateway.faults = ['down', 'down']
    expect(await town.till.purchase(ask, NOW)).toMatchObject({ state: 'refused', code: 'gateway', status: 503 })
    await town.till.due(NOW + 60_000)
    expect([await town.gateway.charges(), listSubscriptions(town)]).toEqual([[], []])
    expect(await town.till.purchase(ask, NOW + 70_000)).toMatchObject({ state: 'done' })
    expect(await town.gateway.charges()).toHaveLength(1)
    mustBalance(town)
  })

  test('whose gateway stays down is released with its quote, and another purchase can start', async () => {
    const town = openBook({ now: NOW })
    const { ask } = await quoted(town, T1(), NOW)
    town.gateway.faults = ['lost', 'lost']
    expect(await town.till.purchase(ask, NOW)).toMatchObject({ status: 503 })
    await town.till.due(NOW + 700_000)
    expect(await town.till.purchase(ask, NOW + 700_000)).toMatchObject({ state: 'refused', code: 'quote' })
    expect(await buy(town, T2, NOW + 700_000)).toMatchObject({ state: 'done' })
    expect(await town.gateway.charges()).toHaveLength(1)
    mustBalance(town)
  })

  test('captured without a received response runs to completion, and other purchases wait for it', async () => {
    const town = openBook({ now: NOW })
    const { ask } = await quoted(town, T1(), NOW)
    town.gateway.faults = ['ok', 'lost', 'lost']
    const answer = await town.till.purchase(ask, NOW)
    expect(answer).toMatchObject({ state: 'pending' })
    const process = answer.state === 'pending' ? answer.process_id : ''
    const other = await town.till.purchase({ ...ask, intent: key() }, NOW)
    expect(other).toMatchObject({ state: 'refused', code: 'busy', status: 409 })
    expect(await town.till.task(process, NOW + 1000)).toMatchObject({ state: 'done', order: { order_id: process } })
    expect(await town.till.purchase(ask, NOW + 2000)).toMatchObject({ state: 'done' })
    expect(await town.gateway.charges()).toHaveLength(1)
  })

  describe('pending purchase with an unresponsive gateway', () => {
    async function parked() {
      const town = openBook({ now: NOW })
      const { ask } = await quoted(town, T1(), NOW)
      const { authorize: original } = town.gateway
      const silence = Promise.withResolvers<never>()
      town.gateway.authorize = () => silence.promise
      const purchase = await town.till.purchase(ask, NOW)
      silence.reject(new GatewayDown())
      await town.till.task(purchase.state === 'pending' ? purchase.process_id : '', NOW)
      town.gateway.authorize = original.bind(town.gateway)
      expect([purchase.state, town.book.all('charge')]).toMatchObject(['pending', [{ parked: true }]])
      return { town, ask, process: town.book.all('charge')[0]?.charge_id ?? '' }
    }

    test('resumes when a client follows it, and waits again while the gateway stays silent', async () => {
      const { town, ask, process } = await parked()
      town.gateway.faults = ['down', 'down']
      expect(await town.till.task(process, NOW + 1000)).toMatchObject({ state: 'pending', step: 'asked' })
      expect(town.book.all('charge')).toMatchObject([{ parked: true }])
      expect(await town.till.task(process, NOW + 2000)).toMatchObject({ state: 'done', order: { paid: 324 } })
      expect(await town.till.purchase(ask, NOW + 3000)).toMatchObject({ state: 'done' })
      expect(await town.gateway.charges()).toHaveLength(1)
      mustBalance(town)
    })

    test('is released if its quote is no longer valid', async () => {
      const { town, process } = await parked()
      town.book.transaction(() =>
        town.book.enter('credit', 'code', NOW, [
          ['promotion', 1],
          ['balance', -1],
        ]),
      )
      expect(await town.till.task(process, NOW + 2000)).toMatchObject({ state: 'failed' })
      expect([await town.gateway.charges(), listSubscriptions(town)]).toEqual([[], []])
      expect(await buy(town, T2, NOW + 3000)).toMatchObject({ state: 'done' })
    })
  })

  test('rejects an outdated quote and the quote of another account', async () => {
    const town = openBook({ now: NOW })
    const { ask } = await quoted(town, T1(), NOW)
    const other = openBook({ now: NOW, account: 'user_b' })
    expect(await other.till.purchase(ask, NOW)).toMatchObject({ state: 'refused', status: 403 })
    town.book.transaction(() =>
      town.book.enter('credit', 'code', NOW, [
        ['promotion', 100],
        ['balance', -100],
      ]),
    )
    expect(await town.till.purchase(ask, NOW)).toMatchObject({ state: 'refused', code: 'quote' })
    expect([await town.gateway.charges(), await other.gateway.charges()]).toEqual([[], []])
  })

  test('that was declined stays declined for 30 days, also through its task', async () => {
    const town = openBook({ now: NOW })
    const { ask } = await quoted(town, T1(), NOW)
    town.gateway.faults = ['pending', 'declined']
    const { process_id } = (await town.till.purchase(ask, NOW)) as { process_id: string }
    expect(await town.till.task(process_id, NOW + 1)).toMatchObject({ state: 'failed', code: '4221' })
    const declined = { state: 'refused', code: 4221, status: 402, data: { errors: [{ field: 'number' }] } }
    expect(await town.till.purchase(ask, NOW + 2)).toMatchObject(declined)
    expect(await town.till.purchase({ ...ask, methodId: null }, NOW + 2)).toMatchObject({ code: 'intent', status: 422 })
    await town.till.due(NOW + 31 * DAY_MS)
    expect(await town.till.purchase(ask, NOW + 31 * DAY_MS)).toMatchObject({ code: 'quote' })
  })
})

describe('billing over time', () => {
  test('charges each period once, counted from the first day, and catches up in order', async () => {
    const startedAt = at('2026-01-31T10:00:00')
    const town = openBook({ now: startedAt })
    await buy(town, T1(), startedAt)
    await town.till.due(at('2026-02-28T09:59:59'))
    expect(bills(town.book)).toHaveLength(1)
    const [now, then] = [at('2026-02-28T09:59:59'), at('2026-06-01T00:00:00')]
    await advanceTestClock(town.ctx, town.till, { by: then - now, now })
    await town.till.due(then)
    const days = bills(town.book).map(({ lines }) => new Date(lines[0]?.from ?? 0).toISOString().slice(0, 10))
    expect(days).toEqual(['2026-05-31', '2026-04-30', '2026-03-31', '2026-02-28', '2026-01-31'])
    expect(await town.gateway.charges()).toHaveLength(5)
    const present = [...town.gateway.charges_.values()].map(({ isPresent }) => isPresent)
    expect(present).toEqual([true, false, false, false, false])
    mustBalance(town)
  })

  test('retries a declined renewal after 1, 3, 7 and 14 days, and then ends the plan', async () => {
    const town = openBook({ now: NOW })
    await buy(town, T1(), NOW)
    const end = listSubscriptions(town)[0]?.until ?? 0
    const attemptDays: number[] = []
    for (let hour = 0; hour <= 15 * 24; hour += 1) {
      const before = town.gateway.asked
      town.gateway.faults = ['declined']
      await town.till.due(end + hour * 3_600_000)
      if (town.gateway.asked > before) attemptDays.push(hour / 24)
      const [subscription] = getEligibilityState(town.book, end + hour * 3_600_000).subscriptions
      expect(subscription).toMatchObject({ isRunning: hour < 14 * 24, renews_at: end + 14 * DAY_MS })
    }
    expect(attemptDays).toEqual([0, 1, 3, 7, 14])
    expect(bills(town.book).map(({ kind, state }) => [kind, state])).toEqual([
      ['credit_note', 'void'],
      ['invoice', 'void'],
      ['invoice', 'paid'],
    ])
    mustBalance(town)
  })

  test('continues with the declined period once it is paid', async () => {
    const town = openBook({ now: NOW })
    await buy(town, T1(), NOW)
    const end = listSubscriptions(town)[0]?.until ?? 0
    town.gateway.faults = ['declined']
    await town.till.due(end)
    expect(listSubscriptions(town)[0]?.status).toBe('past_due')
    await town.till.due(end + 2 * DAY_MS)
    expect(listSubscriptions(town)[0]).toMatchObject({
      status: 'active',
      from: end,
      until: at('2027-01-22T09:41:00'),
      overdue: null,
    })
    expect(bills(town.book).map(({ state, paid }) => [state, paid])).toEqual([
      ['paid', 324],
      ['paid', 324],
    ])
    mustBalance(town)
  })

  test('ends a free trial automatically, and allows one per account', async () => {
    const town = openBook({ card: false })
    expect(await buy(town, T1(), NOW, { isTrial: true })).toMatchObject({ order: { is_trial: true, paid: 0 } })
    await town.till.due(NOW + 14 * DAY_MS)
    expect(getEligibilityState(town.book, NOW + 14 * DAY_MS)).toMatchObject({
      hadTrial: true,
      hasPaid: false,
      subscriptions: [{ isRunning: false }],
    })
    await expect(buy(town, T1(), NOW + 15 * DAY_MS, { isTrial: true })).rejects.toThrow('not_sold')
  })

  test('charges full price for a plan chosen during a free trial, and credits nothing for the trial', async () => {
    const town = openBook({ now: NOW })
    await buy(town, T1(), NOW, { isTrial: true })
    const { quote } = await quoted(town, T2, NOW + DAY_MS)
    expect(quote).toMatchObject({ mode: 'update', change: 2, due: 10_824, lines: [{ kind: 'plan' }] })
  })
})

test('a ledger entry that does not sum to 0 is not written', () => {
  const { book } = openBook({ card: false })
  const enter = (cents: number) =>
    book.transaction(() =>
      book.enter('credit', 'code', NOW, [
        ['promotion', 100],
        ['balance', cents],
      ]),
    )
  expect(() => enter(-99)).toThrow('does not sum to 0')
  expect([book.count('entries'), book.balance()]).toEqual([0, 0])
  enter(-100)
  expect([book.count('entries'), book.balance()]).toEqual([1, 100])
})
