import { describe, expect, test } from 'vitest'
import { listOutbox } from '../../../../../provider/billing/ledger/outbox.ts'
import { type GatewayFault, openTestLedger } from '../../../../support/book.ts'
import {
  buyPlan,
  expectBalancedLedger,
  NOW_MS,
  listSubscriptions,
  quotePurchase,
  cameraAiSelection,
  ANNUAL_UNLIMITED,
} from '../../../../support/test-purchases.ts'
import { DAY_MS, MINUTE_MS } from '../../../../../contract/time-units.ts'

describe('charges and plans of a deleted account', () => {
  test.each<[string, GatewayFault[]]>([
    ['is still pending at the bank', ['pending']],
    ['never reached the gateway', ['down', 'down']],
    ['was authorized but not captured', ['ok', 'down', 'down']],
  ])('a purchase that %s is never collected', async (_, faults) => {
    const testLedger = openTestLedger({ now: NOW_MS })
    const { purchaseRequest } = await quotePurchase(testLedger, cameraAiSelection(), NOW_MS)
    testLedger.gateway.faults = faults
    await testLedger.billingService.purchase(purchaseRequest, NOW_MS)
    const { requestCount } = testLedger.gateway
    await testLedger.billingService.closeAccount(NOW_MS + 1)
    await testLedger.billingService.processDue(NOW_MS + DAY_MS)
    expect([
      testLedger.gateway.requestCount,
      await testLedger.gateway.charges(),
      listSubscriptions(testLedger),
    ]).toEqual([requestCount, [], []])
    expect(await testLedger.billingService.purchase(purchaseRequest, NOW_MS + DAY_MS)).toMatchObject({
      state: 'refused',
      code: 404,
    })
    const [charge] = testLedger.book.listRecords('charge')
    expect(await testLedger.billingService.advanceTask(charge?.charge_id ?? '', NOW_MS + DAY_MS)).toMatchObject({
      state: 'failed',
    })
    expectBalancedLedger(testLedger)
  })

  test('a collected purchase is in the ledger even if the response was lost', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    const { purchaseRequest } = await quotePurchase(testLedger, cameraAiSelection(), NOW_MS)
    testLedger.gateway.faults = ['ok', 'lost', 'lost']
    await testLedger.billingService.purchase(purchaseRequest, NOW_MS)
    await testLedger.billingService.closeAccount(NOW_MS + 1)
    expect(await testLedger.gateway.charges()).toHaveLength(1)
    expect(testLedger.book.listRecords('charge')).toMatchObject([{ state: 'booked', charge: expect.any(String) }])
    expectBalancedLedger(testLedger)
  })

  test('a pending renewal is not requested again, and the plan ends', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    await buyPlan(testLedger, cameraAiSelection(), NOW_MS)
    const end = listSubscriptions(testLedger)[0]?.until ?? 0
    testLedger.gateway.faults = ['pending']
    await testLedger.billingService.processDue(end)
    const { requestCount } = testLedger.gateway
    await testLedger.billingService.closeAccount(end + MINUTE_MS)
    expect([testLedger.gateway.requestCount, listSubscriptions(testLedger)[0]]).toMatchObject([
      requestCount,
      { over: true, status: 'cancelled' },
    ])
    expect(await testLedger.gateway.charges()).toHaveLength(1)
    expectBalancedLedger(testLedger)
  })

  test('a request in flight is the last one', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    const { purchaseRequest } = await quotePurchase(testLedger, cameraAiSelection(), NOW_MS)
    const authorize = testLedger.gateway.authorize.bind(testLedger.gateway)
    const ends: Promise<void>[] = []
    testLedger.gateway.authorize = async (request) => {
      ends.push(testLedger.billingService.closeAccount(NOW_MS))
      return await authorize(request)
    }
    expect(await testLedger.billingService.purchase(purchaseRequest, NOW_MS)).toMatchObject({
      state: 'refused',
      code: 404,
    })
    await Promise.all(ends)
    expect([testLedger.gateway.requestCount, await testLedger.gateway.charges()]).toEqual([1, []])
  })

  test('every plan ends immediately, with the first cancellation option offered', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    await buyPlan(testLedger, cameraAiSelection(3), NOW_MS - 20 * DAY_MS)
    await buyPlan(testLedger, { sku: 'hms', period: 'monthly', quantity: 1 }, NOW_MS)
    const [, monitoring] = listSubscriptions(testLedger)
    const paid = testLedger.book
      .listRecords('invoice')
      .find((bill) => bill.subscription_id === monitoring?.subscription_id)?.paid
    expect(paid).toBeGreaterThan(0)
    await testLedger.billingService.closeAccount(NOW_MS + DAY_MS)
    expect(listSubscriptions(testLedger)).toMatchObject([
      { status: 'cancelled', over: true, until: NOW_MS + DAY_MS, leaving: { way: 'end' } },
      { status: 'cancelled', over: true, until: NOW_MS + DAY_MS, leaving: { way: 'now' } },
    ])
    expect(testLedger.book.listRecords('refund').map(({ cents }) => cents)).toEqual([paid])
    expectBalancedLedger(testLedger)
  })

  test('the payment method is deleted at the gateway, and nothing can be bought any more', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    const { purchaseRequest } = await quotePurchase(testLedger, ANNUAL_UNLIMITED, NOW_MS)
    await testLedger.billingService.closeAccount(NOW_MS)
    expect(testLedger.book.listRecords('method')).toEqual([])
    expect(listOutbox(testLedger.book).filter(({ kind }) => kind === 'forget')).toMatchObject([{ token: 'token_1' }])
    expect(await testLedger.billingService.purchase(purchaseRequest, NOW_MS)).toMatchObject({
      state: 'refused',
      code: 404,
    })
    const order = { ...ANNUAL_UNLIMITED, changes: null, discount: null, isTrial: false }
    expect(await testLedger.billingService.preview(order, NOW_MS)).toMatchObject({
      state: 'refused',
      code: 404,
    })
  })
})
