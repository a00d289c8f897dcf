import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { deleteAllMethods } from '../../../../../provider/billing/ledger/payment-methods.ts'
import { listOutbox } from '../../../../../provider/billing/ledger/outbox.ts'
import { OutboxDispatcher } from '../../../../../provider/billing/ledger/outbox-dispatcher.ts'
import type { SqlStatement } from '../../../../../provider/billing/ledger/projection.ts'
import { GatewayDownError } from '../../../../../provider/billing/payment/gateway-interface.ts'
import { openTestLedger, type TestLedger } from '../../../../support/book.ts'
import {
  buyPlan,
  NOW_MS,
  listSubscriptions,
  quotePurchase,
  cameraAiSelection,
} from '../../../../support/test-purchases.ts'
import { HOUR_MS, SECOND_MS } from '../../../../../contract/time-units.ts'

beforeEach(() => vi.useFakeTimers({ now: NOW_MS, toFake: ['Date'] }))
afterEach(() => vi.useRealTimers())

/**
 * Opens an outbox dispatcher for the ledger. `fail` sets how many times the consumers `write` and
 * `notifyHomes` fail before they succeed.
 */
function openDispatcher(testLedger: TestLedger) {
  const alarm = { at: null as number | null }
  const delivered = { writes: [] as (readonly SqlStatement[])[], homes: 0 }
  const remainingFailures = { write: 0, homes: 0 }
  const consumers = {
    write: async (statements: readonly SqlStatement[]) => {
      if (statements.length > 0) delivered.writes.push(statements)
      if ((remainingFailures.write -= 1) >= 0) await Promise.reject(new Error('D1 is unavailable.'))
    },
    notify: () => Promise.resolve(),
    notifyHomes: async () => {
      delivered.homes += 1
      if ((remainingFailures.homes -= 1) >= 0) await Promise.reject(new Error('The home is unavailable.'))
    },
  }
  const dispatcher = new OutboxDispatcher(testLedger.context, consumers, {
    getAlarm: () => Promise.resolve(alarm.at),
    deleteAlarm: () => Promise.resolve(void (alarm.at = null)),
    setAlarm: (at) => Promise.resolve(void (alarm.at = Number(at))),
  })
  /**
   * Runs the dispatcher once, as the ledger does at the end of each call and alarm. Returns the delay of the next alarm
   * in ms, or null if no alarm is set.
   */
  const runDispatcher = async (): Promise<number | null> => {
    await dispatcher.send()
    await dispatcher.scheduleAlarm()
    return alarm.at && alarm.at - Date.now()
  }
  return { runDispatcher, dispatcher, remainingFailures, delivered, alarm }
}

async function openRenewingLedger() {
  const testLedger = openTestLedger({ now: NOW_MS })
  await buyPlan(testLedger, cameraAiSelection(), NOW_MS)
  const end = listSubscriptions(testLedger)[0]?.until ?? 0
  vi.setSystemTime(end)
  testLedger.gateway.faults = Array<'pending'>(40).fill('pending')
  await testLedger.billingService.processDue(end)
  return { testLedger, end }
}

describe('alarm', () => {
  test('is scheduled with the next charge check during a renewal, with backoff up to one hour', async () => {
    const { testLedger } = await openRenewingLedger()
    const { runDispatcher } = openDispatcher(testLedger)
    const waits: number[] = []
    for (let n = 0; n < 13; n += 1) {
      const wait = (await runDispatcher()) ?? 0
      waits.push(wait / SECOND_MS)
      vi.setSystemTime(Date.now() + wait)
      await testLedger.billingService.processDue(Date.now())
    }
    expect(waits).toEqual([5, 5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600])
  })

  test('is not delayed by status requests in between', async () => {
    const { testLedger, end } = await openRenewingLedger()
    const { runDispatcher } = openDispatcher(testLedger)
    const [charge] = testLedger.book.listRecords('charge').filter(({ job }) => job.kind === 'renewal')
    for (let second = 1; second <= 20; second += 1)
      await testLedger.billingService.advanceTask(charge?.charge_id ?? '', end + second * SECOND_MS)
    vi.setSystemTime(end + 20 * SECOND_MS)
    expect(await runDispatcher()).toBe(20 * SECOND_MS)
  })

  test('is set for an entry that is booked after its caller stopped waiting', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    const { purchaseRequest } = await quotePurchase(testLedger, cameraAiSelection(), NOW_MS)
    const { dispatcher, runDispatcher, alarm } = openDispatcher(testLedger)
    testLedger.restart(() => dispatcher.scheduleAlarm())
    const answer = Promise.withResolvers<void>()
    const capture = testLedger.gateway.capture.bind(testLedger.gateway)
    testLedger.gateway.capture = async (...args) => {
      await answer.promise
      return await capture(...args)
    }
    const purchase = await testLedger.billingService.purchase(purchaseRequest, NOW_MS)
    expect(purchase).toMatchObject({ state: 'pending' })
    await runDispatcher()
    alarm.at = NOW_MS + HOUR_MS
    answer.resolve()
    await testLedger.billingService.advanceTask(purchase.state === 'pending' ? purchase.process_id : '', NOW_MS)
    expect([listSubscriptions(testLedger), alarm.at]).toMatchObject([[{ status: 'active' }], NOW_MS + 2 * SECOND_MS])
  })
})

describe('failed delivery', () => {
  test('to open pages is retried with backoff, and then nothing is left to do', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    await buyPlan(testLedger, cameraAiSelection(), NOW_MS)
    const { runDispatcher, remainingFailures, delivered } = openDispatcher(testLedger)
    remainingFailures.homes = 3
    expect([await runDispatcher(), await runDispatcher(), await runDispatcher()]).toEqual(
      [2, 4, 8].map((seconds) => seconds * SECOND_MS),
    )
    expect(await runDispatcher()).toBe((listSubscriptions(testLedger)[0]?.until ?? 0) - NOW_MS)
    expect([delivered.homes, listOutbox(testLedger.book)]).toEqual([4, []])
    await runDispatcher()
    expect(delivered.homes).toBe(4)
  })

  test('to D1 is written again with the same numbers', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    await buyPlan(testLedger, cameraAiSelection(), NOW_MS)
    const { runDispatcher, remainingFailures, delivered } = openDispatcher(testLedger)
    remainingFailures.write = 1
    await runDispatcher()
    await runDispatcher()
    expect(delivered.writes).toHaveLength(2)
    expect(delivered.writes[1]).toEqual(delivered.writes[0])
    expect([delivered.homes, listOutbox(testLedger.book)]).toEqual([1, []])
  })

  test('to the gateway blocks no other delivery, not even for another payment method', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    const { book, context, gateway } = testLedger
    await buyPlan(testLedger, cameraAiSelection(), NOW_MS)
    const [card] = book.listRecords('method')
    book.transaction(() => {
      if (card) book.put(0, 'method', 'a_first', { ...card, method_id: 'a_first', token: 'stuck' })
      deleteAllMethods(context.book, NOW_MS)
    })
    const deleteMethod = gateway.deleteMethod.bind(gateway)
    gateway.deleteMethod = async (account, token) => {
      if (token === 'stuck') throw new GatewayDownError()
      await deleteMethod(account, token)
    }
    const { runDispatcher, delivered } = openDispatcher(testLedger)
    expect(await runDispatcher()).toBe(2 * SECOND_MS)
    expect([delivered.homes, gateway.deletedTokens]).toEqual([1, ['token_1']])
    expect(listOutbox(book)).toMatchObject([{ kind: 'forget', token: 'stuck' }])
    await runDispatcher()
    expect([delivered.homes, gateway.deletedTokens]).toEqual([1, ['token_1']])
  })
})
