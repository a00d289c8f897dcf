import { describe, expect, test } from 'vitest'
import { findMismatches } from '../../../../../provider/billing/reconciliation/find-mismatches.ts'
import { buildAudit } from '../../../../../provider/billing/ledger/reconciliation-snapshot.ts'
import { findNextBillingTime } from '../../../../../provider/billing/ledger/pending-charges.ts'
import { BillingService } from '../../../../../provider/billing/ledger/billing-service.ts'
import { openBook, type TestBook } from '../../../../support/book.ts'
import { at, buy, mustBalance, NOW, listSubscriptions, quoted, T1, T2 } from '../../../../support/buying.ts'
import { MINUTE_MS } from '../../../../../contract/time-units.ts'

const HMS = { sku: 'hms', period: 'monthly', quantity: 1 } as const
const END = at('2026-12-22T09:41:00')

/** Mismatches that `npm run reconcile` reports for a ledger and its gateway. */
async function differences({ ctx, gateway }: TestBook) {
  const audit = buildAudit(ctx)
  const { subscriptions, bindings } = audit
  return findMismatches(audit, await gateway.charges(), { subscriptions, bindings, cameras: new Set() })
}

describe('a posting that the ledger rejects', () => {
  test('of a collected charge is reported and retried, and delays no other plan', async () => {
    const town = openBook({ now: NOW })
    const { book, gateway, till } = town
    await buy(town, T1(), NOW)
    await buy(town, HMS, NOW)
    const [plan] = listSubscriptions(town).filter(({ sku }) => sku === 'cam-ai')
    if (!plan) throw new Error('Nothing was bought.')
    const { ask, quote } = await quoted(town, T2, NOW)
    gateway.faults = ['pending']
    const { process_id } = (await till.purchase(ask, NOW)) as { process_id: string }
    const alter = (change: () => void) => book.transaction(change)
    alter(() => book.drop(book.enter('test', '', NOW), 'subscription', plan.subscription_id))
    await till.due(NOW + MINUTE_MS)
    expect(await till.task(process_id, NOW + MINUTE_MS)).toMatchObject({ state: 'pending', step: 'charged' })
    expect(await differences(town)).toEqual([
      { where: 'book', what: `charge ${process_id} is not booked`, book: 0, other: quote.due },
    ])
    // A second purchase would charge again for an order that is already paid, so it is rejected.
    expect(await till.purchase({ ...ask, intent: 'another_intent_of_it' }, NOW + MINUTE_MS)).toMatchObject({
      code: 'busy',
    })
    expect(findNextBillingTime(book)).toBeGreaterThan(NOW + MINUTE_MS)
    await till.due(END)
    expect(listSubscriptions(town)).toMatchObject([{ sku: 'hms', from: END }])
    alter(() => book.put(book.enter('test', '', END), 'subscription', plan.subscription_id, plan, plan.until))
    expect(findNextBillingTime(book)).toBeGreaterThan(END)
    await till.due(END + 1)
    expect(listSubscriptions(town).find(({ sku }) => sku === 'cam-ai')?.until).toBe(END)
    await till.due(END + 60 * MINUTE_MS)
    expect(await till.task(process_id, END + 60 * MINUTE_MS)).toMatchObject({
      state: 'done',
      order: { paid: quote.due },
    })
    expect([await differences(town), (await gateway.charges()).length]).toEqual([[], 4])
    mustBalance(town)
  })

  test('of a renewal is reported and postponed by an hour, and delays no other renewal', async () => {
    const town = openBook({ now: NOW })
    const { book, ctx } = town
    await buy(town, T1(), NOW)
    await buy(town, HMS, NOW)
    let made = 0
    const newId = (kind: 'sub' | 'order' | 'method') => {
      if ((made += 1) === 1) throw new Error('No id is to be had.')
      return ctx.newId(kind)
    }
    const till = new BillingService({ ...ctx, newId }, { ticketKey: 'key', patience: () => new Promise(() => null) })
    await till.due(END)
    const renewed = () => listSubscriptions(town).filter(({ from }) => from === END)
    expect(renewed()).toHaveLength(1)
    expect(await differences(town)).toMatchObject([
      { where: 'book', what: expect.stringMatching(/^subscription sub_\d: /) },
    ])
    expect(findNextBillingTime(book)).toBe(END + 60 * MINUTE_MS)
    await till.due(END + 60 * MINUTE_MS)
    expect([renewed().length, await differences(town)]).toEqual([2, []])
    expect(await town.gateway.charges()).toHaveLength(4)
    mustBalance(town)
  })
})
