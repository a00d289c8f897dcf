import { describe, expect, test } from 'vitest'
import { GatewayDownError } from '../../../../../provider/billing/payment/gateway-interface.ts'
import { type GatewayFault, ProcessKilled, openTestLedger } from '../../../../support/book.ts'
import {
  buyPlan,
  nextIdempotencyKey,
  expectBalancedLedger,
  NOW_MS,
  listSubscriptions,
  quotePurchase,
  cameraAiSelection,
  ANNUAL_UNLIMITED,
} from '../../../../support/test-purchases.ts'

describe('purchase', () => {
  test.each<[string, GatewayFault[], number]>([
    ['the first gateway request', ['killed before'], 9],
    ['the response to the first gateway request', ['killed after'], 9],
    ['the second gateway request', ['ok', 'killed before'], 9],
    ['the response to the second gateway request', ['ok', 'killed after'], 9],
    ['anything is stored', [], 0],
    ['the first response is stored', [], 1],
    ['the second response is stored', [], 2],
    ['the charge is posted', [], 3],
  ])('killed before %s is posted once', async (_, faults, transactions) => {
    const testLedger = openTestLedger({ now: NOW_MS })
    const { purchaseRequest } = await quotePurchase(testLedger, cameraAiSelection(), NOW_MS)
    testLedger.gateway.faults = faults
    testLedger.killAfter(transactions + 1)
    await expect(testLedger.billingService.purchase(purchaseRequest, NOW_MS)).rejects.toBeInstanceOf(ProcessKilled)
    testLedger.restart()
    testLedger.gateway.faults = []
    await testLedger.billingService.processDue(NOW_MS + 60_000)
    const answer = await testLedger.billingService.purchase(purchaseRequest, NOW_MS + 60_000)
    expect(answer).toMatchObject({ state: 'done', order: { paid: 324 } })
    expect(await testLedger.gateway.charges()).toHaveLength(1)
    expect(listSubscriptions(testLedger)).toHaveLength(1)
    expectBalancedLedger(testLedger)
  })

  test('with the gateway down charges nothing, says so, and resumes by a click with the same key', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    const { purchaseRequest } = await quotePurchase(testLedger, cameraAiSelection(), NOW_MS)
    testLedger.gateway.faults = ['down', 'down']
    expect(await testLedger.billingService.purchase(purchaseRequest, NOW_MS)).toMatchObject({
      state: 'refused',
      code: 'gateway',
      status: 503,
    })
    await testLedger.billingService.processDue(NOW_MS + 60_000)
    expect([await testLedger.gateway.charges(), listSubscriptions(testLedger)]).toEqual([[], []])
    expect(await testLedger.billingService.purchase(purchaseRequest, NOW_MS + 70_000)).toMatchObject({
      state: 'done',
    })
    expect(await testLedger.gateway.charges()).toHaveLength(1)
    expectBalancedLedger(testLedger)
  })

  test('whose gateway stays down is released with its quote, and another purchase can start', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    const { purchaseRequest } = await quotePurchase(testLedger, cameraAiSelection(), NOW_MS)
    testLedger.gateway.faults = ['lost', 'lost']
    expect(await testLedger.billingService.purchase(purchaseRequest, NOW_MS)).toMatchObject({ status: 503 })
    await testLedger.billingService.processDue(NOW_MS + 700_000)
    expect(await testLedger.billingService.purchase(purchaseRequest, NOW_MS + 700_000)).toMatchObject({
      state: 'refused',
      code: 'quote',
    })
    expect(await buyPlan(testLedger, ANNUAL_UNLIMITED, NOW_MS + 700_000)).toMatchObject({ state: 'done' })
    expect(await testLedger.gateway.charges()).toHaveLength(1)
    expectBalancedLedger(testLedger)
  })

  test('captured without a received response runs to completion, and other purchases wait for it', async () => {
    const testLedger = openTestLedger({ now: NOW_MS })
    const { purchaseRequest } = await quotePurchase(testLedger, cameraAiSelection(), NOW_MS)
    testLedger.gateway.faults = ['ok', 'lost', 'lost']
    const answer = await testLedger.billingService.purchase(purchaseRequest, NOW_MS)
    expect(answer).toMatchObject({ state: 'pending' })
    const process = answer.state === 'pending' ? answer.process_id : ''
    const other = await testLedger.billingService.purchase({ ...purchaseRequest, intent: nextIdempotencyKey() }, NOW_MS)
    expect(other).toMatchObject({ state: 'refused', code: 'busy', status: 409 })
    expect(await testLedger.billingService.advanceTask(process, NOW_MS + 1000)).toMatchObject({
      state: 'done',
      order: { order_id: process },
    })
    expect(await testLedger.billingService.purchase(purchaseRequest, NOW_MS + 2000)).toMatchObject({
      state: 'done',
    })
    expect(await testLedger.gateway.charges()).toHaveLength(1)
  })

  describe('pending purchase with an unresponsive gateway', () => {
    async function createParkedPurchase() {
      const testLedger = openTestLedger({ now: NOW_MS })
      const { purchaseRequest } = await quotePurchase(testLedger, cameraAiSelection(), NOW_MS)
      const { authorize: original } = testLedger.gateway
      const unansweredRequest = Promise.withResolvers<never>()
      testLedger.gateway.authorize = () => unansweredRequest.promise
      const purchase = await testLedger.billingService.purchase(purchaseRequest, NOW_MS)
      unansweredRequest.reject(new GatewayDownError())
      await testLedger.billingService.advanceTask(purchase.state === 'pending' ? purchase.process_id : '', NOW_MS)
      testLedger.gateway.authorize = original.bind(testLedger.gateway)
      expect([purchase.state, testLedger.book.listRecords('charge')]).toMatchObject(['pending', [{ parked: true }]])
      return {
        testLedger,
        purchaseRequest,
        process: testLedger.book.listRecords('charge')[0]?.charge_id ?? '',
      }
    }

    test('resumes when a client follows it, and waits again while the gateway stays silent', async () => {
      const { testLedger, purchaseRequest, process } = await createParkedPurchase()
      testLedger.gateway.faults = ['down', 'down']
      expect(await testLedger.billingService.advanceTask(process, NOW_MS + 1000)).toMatchObject({
        state: 'pending',
        step: 'asked',
      })
      expect(testLedger.book.listRecords('charge')).toMatchObject([{ parked: true }])
      expect(await testLedger.billingService.advanceTask(process, NOW_MS + 2000)).toMatchObject({
        state: 'done',
        order: { paid: 324 },
      })
      expect(await testLedger.billingService.purchase(purchaseRequest, NOW_MS + 3000)).toMatchObject({
        state: 'done',
      })
      expect(await testLedger.gateway.charges()).toHaveLength(1)
      expectBalancedLedger(testLedger)
    })

    test('is not charged by an event of the gateway, because its buyer saw a failure', async () => {
      const { testLedger, process } = await createParkedPurchase()
      await testLedger.billingService.handleGatewayEvent(process, NOW_MS + 1000)
      expect(testLedger.book.listRecords('charge')).toMatchObject([{ parked: true, state: 'written' }])
      expect(await testLedger.gateway.charges()).toEqual([])
    })

    test('is released if its quote is no longer valid', async () => {
      const { testLedger, process } = await createParkedPurchase()
      testLedger.book.transaction(() =>
        testLedger.book.addEntry('credit', 'code', NOW_MS, [
          ['promotion', 1],
          ['balance', -1],
        ]),
      )
      expect(await testLedger.billingService.advanceTask(process, NOW_MS + 2000)).toMatchObject({
        state: 'failed',
      })
      expect([await testLedger.gateway.charges(), listSubscriptions(testLedger)]).toEqual([[], []])
      expect(await buyPlan(testLedger, ANNUAL_UNLIMITED, NOW_MS + 3000)).toMatchObject({ state: 'done' })
    })
  })
})
