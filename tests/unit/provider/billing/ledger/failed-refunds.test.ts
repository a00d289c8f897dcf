import { describe, expect, test } from 'vitest'
import { listSettlementRows } from '../../../../../src/domain/copy/invoice-lines.ts'
import { splitBalance } from '../../../../../provider/billing/ledger/balance.ts'
import { checkRefund, REFUND_ATTEMPTS_MAX } from '../../../../../provider/billing/ledger/failed-refunds.ts'
import { listInvoices } from '../../../../../provider/billing/ledger/invoices.ts'
import { applyCancellation } from '../../../../../provider/billing/ledger/cancel-subscription.ts'
import { listOutbox } from '../../../../../provider/billing/ledger/outbox.ts'
import { OutboxDispatcher } from '../../../../../provider/billing/ledger/outbox-dispatcher.ts'
import { openTestLedger, type TestLedger } from '../../../../support/book.ts'
import {
  buyPlan,
  expectBalancedLedger,
  NOW_MS,
  listSubscriptions,
  ANNUAL_UNLIMITED,
} from '../../../../support/test-purchases.ts'
import { DAY_MS } from '../../../../../contract/time-units.ts'

const PAID_CENTS = 10_824
const outboxConsumers = {
  write: () => Promise.resolve(),
  notify: () => Promise.resolve(),
  notifyHomes: () => Promise.resolve(),
}
const alarm = {
  getAlarm: () => Promise.resolve(null),
  deleteAlarm: () => Promise.resolve(),
  setAlarm: () => Promise.resolve(),
}

/** Opens a ledger whose plan was canceled with a full refund. The payment gateway has accepted the refund. */
async function openRefundedLedger() {
  const testLedger = openTestLedger({ now: NOW_MS })
  await buyPlan(testLedger, ANNUAL_UNLIMITED, NOW_MS)
  const [plan] = listSubscriptions(testLedger)
  if (!plan) throw new Error('The purchase created no plan.')
  testLedger.book.transaction(() =>
    applyCancellation(testLedger.context, plan, { way: 'now', reason: null }, NOW_MS + DAY_MS),
  )
  const dispatcher = new OutboxDispatcher(testLedger.context, outboxConsumers, alarm)
  await dispatcher.send()
  return { testLedger, dispatcher }
}

const listRefunds = ({ book }: TestLedger) =>
  book.listRecords('refund').map(({ state, attempt, cents }) => [state, attempt, cents])
const getCreditNote = ({ book }: TestLedger) => {
  const [note] = listInvoices(book)
  if (note?.kind !== 'credit_note') throw new Error('There is no credit note.')
  return note
}

/** Makes the bank return the last refund, and makes the ledger check this refund. Returns the key of the refund. */
async function returnLastRefund(testLedger: TestLedger, now: number): Promise<string> {
  const id = [...testLedger.gateway.refunds.keys()].at(-1) ?? ''
  testLedger.gateway.returnedRefundKeys.add(id)
  await checkRefund(testLedger.context, id, now)
  return id
}

describe('refund that the bank returns days later', () => {
  test('is retried under a new key, and the credit note says so', async () => {
    const { testLedger, dispatcher } = await openRefundedLedger()
    const first = await returnLastRefund(testLedger, NOW_MS + 5 * DAY_MS)
    expect(listRefunds(testLedger)).toEqual([
      ['failed', 1, PAID_CENTS],
      ['open', 2, PAID_CENTS],
    ])
    expect(listSettlementRows(getCreditNote(testLedger))).toEqual([
      { title: expect.stringContaining('resent') as string, cents: PAID_CENTS },
    ])
    await dispatcher.send()
    expect([...testLedger.gateway.refunds.keys()]).toHaveLength(2)
    expect([...testLedger.gateway.refunds.keys()].at(-1)).not.toBe(first)
    expect(listRefunds(testLedger).map(([state]) => state)).toEqual(['failed', 'sent'])
    expect(await testLedger.gateway.charges()).toMatchObject([{ refunded: PAID_CENTS }])
    expectBalancedLedger(testLedger)
  })

  test('goes to the balance after the last attempt, as collected money, and the buyer is notified', async () => {
    const { testLedger, dispatcher } = await openRefundedLedger()
    for (let attempt = 1; attempt <= REFUND_ATTEMPTS_MAX; attempt += 1) {
      await returnLastRefund(testLedger, NOW_MS + attempt * 5 * DAY_MS)
      if (attempt < REFUND_ATTEMPTS_MAX) await dispatcher.send()
    }
    expect(splitBalance(testLedger.book)).toEqual({ collected: PAID_CENTS, promotional: 0 })
    expect(getCreditNote(testLedger)).toMatchObject({ paid: 0, refunded: 0, refund_retried: false })
    expect(listSettlementRows(getCreditNote(testLedger))).toEqual([
      { title: 'Added to your balance', cents: PAID_CENTS },
    ])
    const messages = listOutbox(testLedger.book).filter(
      (message) => message.kind === 'message' && message.what === 'refund_failed',
    )
    expect(messages).toMatchObject([{ facts: { total: PAID_CENTS, bill: getCreditNote(testLedger).bill } }])
    expectBalancedLedger(testLedger)
  })

  test('is posted once, regardless of repeated events', async () => {
    const { testLedger } = await openRefundedLedger()
    const id = await returnLastRefund(testLedger, NOW_MS + 5 * DAY_MS)
    const before = [listRefunds(testLedger), listOutbox(testLedger.book).length]
    for (const name of [id, 'unknown_refund', '']) await checkRefund(testLedger.context, name, NOW_MS + 6 * DAY_MS)
    expect([listRefunds(testLedger), listOutbox(testLedger.book).length]).toEqual(before)
  })

  test('changes nothing if the bank did not return it', async () => {
    const { testLedger } = await openRefundedLedger()
    await checkRefund(testLedger.context, [...testLedger.gateway.refunds.keys()][0] ?? '', NOW_MS + 5 * DAY_MS)
    expect(listRefunds(testLedger)).toEqual([['sent', 1, PAID_CENTS]])
  })

  test('is not counted as sent when returned before the gateway response', async () => {
    const { testLedger, dispatcher } = await openRefundedLedger()
    await returnLastRefund(testLedger, NOW_MS + 5 * DAY_MS)
    const second = testLedger.book.listRecords('refund').find(({ state }) => state === 'open')?.refund_id ?? ''
    testLedger.gateway.returnedRefundKeys.add(second)
    await dispatcher.send()
    expect(listRefunds(testLedger).map(([state]) => state)).toEqual(['failed', 'failed'])
    expect(splitBalance(testLedger.book).collected).toBe(PAID_CENTS)
  })
})
