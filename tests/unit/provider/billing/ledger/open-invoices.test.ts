import { expect, test } from 'vitest'
import { addMethod } from '../../../../../provider/billing/ledger/payment-methods.ts'
import { outgoing } from '../../../../../provider/billing/ledger/outbox.ts'
import { isLive } from '../../../../../provider/billing/ledger/subscription-rules.ts'
import { CARD, openBook, type TestBook } from '../../../../support/book.ts'
import { at, buy, key, mustBalance, NOW, listSubscriptions, T1, T2 } from '../../../../support/buying.ts'
import { DAY_MS } from '../../../../../contract/time-units.ts'

const only = (town: TestBook) => listSubscriptions(town)[0]!
const DUE = at('2026-12-22T09:41:00')

/** Plan whose renewal was declined, and a second card. */
async function failed(): Promise<{ town: TestBook; method: string }> {
  const town = openBook({ now: NOW })
  await buy(town, T1(3), NOW)
  const { method_id } = town.book.transaction(() => addMethod(town.ctx, 'session_2', { ...CARD, token: 't2' }, NOW))
  town.gateway.faults = ['declined']
  await town.till.due(DUE)
  return { town, method: method_id }
}
const buildRequest = ({ book }: TestBook, methodId: string, intent = key()) => {
  const [subscription] = book.all('subscription')
  return { subscription_id: subscription!.subscription_id, revision: subscription!.revision, methodId, intent }
}

test('a declined charge reports its reason and the time of its retry', async () => {
  const { town } = await failed()
  expect(only(town).overdue).toMatchObject({ tries: 1, code: '4221', method: { brand: 'visa', last_four: '4242' } })
  const messages = outgoing(town.book).filter((message) => message.kind === 'message')
  expect(messages.find(({ what: messageKind }) => messageKind === 'charge_failed')?.facts).toMatchObject({
    ...{ sku: 'cam-ai', total: 971, code: '4221', next_try: DUE + DAY_MS, until: DUE + 14 * DAY_MS },
  })
})

test('one charge to another payment method pays the invoice, and that method pays from then on', async () => {
  const { town, method } = await failed()
  const request = buildRequest(town, method)
  const answer = await town.till.payOpen(request, DUE + 3_600_000)
  expect(answer).toMatchObject({ state: 'done', paid: 971 })
  expect(await town.till.payOpen(request, DUE + 3_700_000)).toEqual(answer)
  expect(only(town)).toMatchObject({ status: 'active', from: DUE, overdue: null })
  expect(town.book.all('method').find(({ is_default }) => is_default)?.method_id).toBe(method)
  const [bill] = town.book.all('invoice').filter(({ at: day }) => day === DUE)
  expect(bill).toMatchObject({ state: 'paid', paid: 971, paid_at: DUE + 3_600_000 })
  mustBalance(town)
})

test('a decline is reported and is not an automatic retry; nothing is open twice', async () => {
  const { town, method } = await failed()
  town.gateway.faults = ['declined']
  expect(await town.till.payOpen(buildRequest(town, method), DUE + 1000)).toMatchObject({
    state: 'refused',
    status: 402,
  })
  expect(only(town).overdue?.tries).toBe(1)
  expect(await town.till.payOpen(buildRequest(town, 'nobodys'), DUE + 2000)).toMatchObject({ code: 'no_method' })
  expect(await town.till.payOpen(buildRequest(town, method), DUE + 3000)).toMatchObject({ state: 'done' })
  expect(await town.till.payOpen(buildRequest(town, method), DUE + 4000)).toMatchObject({ code: 'stale' })
  mustBalance(town)
})

test('a slow bank response is tracked as a task, and the card is charged once', async () => {
  const { town, method } = await failed()
  town.gateway.faults = ['pending']
  const request = buildRequest(town, method)
  const answer = await town.till.payOpen(request, DUE + 1000)
  expect(answer).toMatchObject({ state: 'pending' })
  const task = answer.state === 'pending' ? answer.process_id : ''
  expect(await town.till.task(task, DUE + 9000)).toMatchObject({ state: 'done', order: { paid: 971 } })
  expect(await town.till.payOpen(request, DUE + 10_000)).toMatchObject({ state: 'done', paid: 971 })
  expect([...town.gateway.charges_.values()].filter(({ state }) => state === 'captured')).toHaveLength(2)
  mustBalance(town)
})

test('an unanswered retry is dropped once its grace period has ended', async () => {
  const { town } = await failed()
  town.gateway.faults = Array<'down'>(400).fill('down')
  await town.till.due(DUE + DAY_MS)
  expect(town.book.all('charge').filter(({ state }) => state === 'written')).toHaveLength(1)
  await town.till.due(DUE + 14 * DAY_MS + 7_200_000)
  await town.till.due(DUE + 14 * DAY_MS + 9_000_000)
  town.gateway.faults = []
  await town.till.due(DUE + 20 * DAY_MS)
  expect([only(town).over, only(town).until]).toEqual([true, DUE + 14 * DAY_MS])
  expect((await town.gateway.charges()).map(({ cents }) => cents)).toEqual([971])
  mustBalance(town)
})

test.each([
  ['may come an hour late', 3_600_000, 'active'],
  ['is not made after that', 3_600_001, 'cancelled'],
])('the last retry %s', async (_, late, status) => {
  const { town } = await failed()
  for (const days of [1, 3, 7]) {
    town.gateway.faults = ['declined']
    await town.till.due(DUE + days * DAY_MS)
  }
  await town.till.due(DUE + 14 * DAY_MS + late)
  expect(only(town).status).toBe(status)
})

test('the grace period counts from the decline', async () => {
  const town = openBook({ now: NOW })
  await buy(town, T1(), NOW)
  town.gateway.faults = ['declined']
  await town.till.due(DUE + 2 * DAY_MS)
  const at = [DUE + 16 * DAY_MS - 1, DUE + 16 * DAY_MS]
  expect(at.map((now) => isLive(only(town), now))).toEqual([true, false])
})

test('notifications precede annual renewals by 30 days, trial ends by 3 days, card expiry by a month', async () => {
  const town = openBook({ now: NOW, card: false })
  town.book.transaction(() => addMethod(town.ctx, 's', { ...CARD, ends: { month: 10, year: 2027 } }, NOW))
  await buy(town, T2, NOW)
  const listMessages = () =>
    outgoing(town.book).flatMap((message) =>
      message.kind === 'message' && message.what !== 'bill' ? [[message.what, message.at]] : [],
    )
  const ahead = at('2027-10-23T09:41:00')
  await town.till.due(at('2027-10-02T00:00:00') - 1)
  expect(listMessages()).toEqual([])
  await town.till.due(at('2027-10-02T00:00:00'))
  expect(listMessages()).toEqual([['card_ends', at('2027-10-02T00:00:00')]])
  await town.till.due(ahead)
  await town.till.due(ahead + DAY_MS)
  expect(listMessages().slice(1)).toEqual([['renewal_ahead', ahead]])
  const trial = openBook({ now: NOW })
  await buy(trial, T1(), NOW, { isTrial: true })
  await trial.till.due(NOW + 11 * DAY_MS)
  expect(
    outgoing(trial.book).filter((message) => message.kind === 'message' && message.what === 'trial_ends'),
  ).toHaveLength(1)
})
