import { describe, expect, test } from 'vitest'
import { settledRows } from '../../../../../src/domain/copy/invoice-lines.ts'
import { balanceParts } from '../../../../../provider/billing/ledger/balance.ts'
import { checkRefund, REFUND_ATTEMPTS } from '../../../../../provider/billing/ledger/failed-refunds.ts'
import { bills } from '../../../../../provider/billing/ledger/invoices.ts'
import { applyCancellation } from '../../../../../provider/billing/ledger/cancel-subscription.ts'
import { outgoing } from '../../../../../provider/billing/ledger/outbox.ts'
import { OutboxDispatcher } from '../../../../../provider/billing/ledger/outbox-dispatcher.ts'
import { openBook, type TestBook } from '../../../../support/book.ts'
import { buy, mustBalance, NOW, listSubscriptions, T2 } from '../../../../support/buying.ts'
import { DAY_MS } from '../../../../../contract/time-units.ts'

const PAID = 10_824
const readers = {
  write: () => Promise.resolve(),
  notify: () => Promise.resolve(),
  notifyHomes: () => Promise.resolve(),
}
const alarm = {
  getAlarm: () => Promise.resolve(null),
  deleteAlarm: () => Promise.resolve(),
  setAlarm: () => Promise.resolve(),
}

/** Plan canceled with a full refund that the gateway has accepted. */
async function refunded() {
  const town = openBook({ now: NOW })
  await buy(town, T2, NOW)
  const [plan] = listSubscriptions(town)
  if (!plan) throw new Error('Nothing was bought.')
  town.book.transaction(() => applyCancellation(town.ctx, plan, { way: 'now', reason: null }, NOW + DAY_MS))
  const post = new OutboxDispatcher(town.ctx, readers, alarm)
  await post.send()
  return { town, post }
}

const listRefunds = ({ book }: TestBook) =>
  book.all('refund').map(({ state, attempt, cents }) => [state, attempt, cents])
const getCreditNote = ({ book }: TestBook) => {
  const [note] = bills(book)
  if (note?.kind !== 'credit_note') throw new Error('There is no credit note.')
  return note
}

/** Makes the bank return the last refund, and handles the event that reports it. */
async function returnLast(town: TestBook, now: number): Promise<string> {
  const id = [...town.gateway.refunds.keys()].at(-1) ?? ''
  town.gateway.returned.add(id)
  await checkRefund(town.ctx, id, now)
  return id
}

describe('refund that the bank returns days later', () => {
  test('is retried under a new key, and the credit note says so', async () => {
    const { town, post } = await refunded()
    const first = await returnLast(town, NOW + 5 * DAY_MS)
    expect(listRefunds(town)).toEqual([
      ['failed', 1, PAID],
      ['open', 2, PAID],
    ])
    expect(settledRows(getCreditNote(town))).toEqual([
      { title: expect.stringContaining('again') as string, cents: PAID },
    ])
    await post.send()
    expect([...town.gateway.refunds.keys()]).toHaveLength(2)
    expect([...town.gateway.refunds.keys()].at(-1)).not.toBe(first)
    expect(listRefunds(town).map(([state]) => state)).toEqual(['failed', 'sent'])
    expect(await town.gateway.charges()).toMatchObject([{ refunded: PAID }])
    mustBalance(town)
  })

  test('goes to the balance after the last attempt, as collected money, and the buyer is notified', async () => {
    const { town, post } = await refunded()
    for (let attempt = 1; attempt <= REFUND_ATTEMPTS; attempt += 1) {
      await returnLast(town, NOW + attempt * 5 * DAY_MS)
      if (attempt < REFUND_ATTEMPTS) await post.send()
    }
    expect(balanceParts(town.book)).toEqual({ collected: PAID, promotional: 0 })
    expect(getCreditNote(town)).toMatchObject({ paid: 0, refunded: 0, refund_retried: false })
    expect(settledRows(getCreditNote(town))).toEqual([{ title: 'Added to the balance', cents: PAID }])
    const messages = outgoing(town.book).filter(
      (message) => message.kind === 'message' && message.what === 'refund_failed',
    )
    expect(messages).toMatchObject([{ facts: { total: PAID, bill: getCreditNote(town).bill } }])
    mustBalance(town)
  })

  test('is posted once, regardless of repeated events', async () => {
    const { town } = await refunded()
    const id = await returnLast(town, NOW + 5 * DAY_MS)
    const before = [listRefunds(town), outgoing(town.book).length]
    for (const name of [id, 'refund_of_nobody', '']) await checkRefund(town.ctx, name, NOW + 6 * DAY_MS)
    expect([listRefunds(town), outgoing(town.book).length]).toEqual(before)
  })

  test('changes nothing if the bank did not return it', async () => {
    const { town } = await refunded()
    await checkRefund(town.ctx, [...town.gateway.refunds.keys()][0] ?? '', NOW + 5 * DAY_MS)
    expect(listRefunds(town)).toEqual([['sent', 1, PAID]])
  })

  test('is not counted as sent when returned before the gateway response', async () => {
    const { town, post } = await refunded()
    await returnLast(town, NOW + 5 * DAY_MS)
    const second = town.book.all('refund').find(({ state }) => state === 'open')?.refund_id ?? ''
    town.gateway.returned.add(second)
    await post.send()
    expect(listRefunds(town).map(([state]) => state)).toEqual(['failed', 'failed'])
    expect(balanceParts(town.book).collected).toBe(PAID)
  })
})
