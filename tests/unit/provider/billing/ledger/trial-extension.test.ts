import { expect, test } from 'vitest'
import { extendFreeTrial, findTrialExtension } from '../../../../../provider/billing/ledger/trial-extension.ts'
import { openTestLedger, type TestLedger } from '../../../../support/book.ts'
import { buyPlan, NOW_MS, listSubscriptions, cameraAiSelection } from '../../../../support/test-purchases.ts'
import { DAY_MS } from '../../../../../contract/time-units.ts'

const getOnlySubscription = (testLedger: TestLedger) => listSubscriptions(testLedger)[0]!

test('a free trial can be extended twice, then 4302 reports the maximum', async () => {
  const testLedger = openTestLedger({ now: NOW_MS })
  await buyPlan(testLedger, cameraAiSelection(), NOW_MS, { isTrial: true })
  const { subscription_id, until } = getOnlySubscription(testLedger)
  const more = () => testLedger.book.transaction(() => extendFreeTrial(testLedger.book, subscription_id, NOW_MS))
  expect([more(), more()]).toEqual([
    { used: 7, maximum: 14, until: until + 7 * DAY_MS },
    { used: 14, maximum: 14, until: until + 14 * DAY_MS },
  ])
  expect(more()).toMatchObject({ code: 4302 })
  expect(findTrialExtension(testLedger.book, NOW_MS)).toMatchObject({ used: 14, until: until + 14 * DAY_MS })
  await testLedger.billingService.processDue(until + 14 * DAY_MS - 1)
  expect(getOnlySubscription(testLedger).over).toBe(false)
  await testLedger.billingService.processDue(until + 14 * DAY_MS)
  expect([getOnlySubscription(testLedger).over, getOnlySubscription(testLedger).until]).toEqual([
    true,
    until + 14 * DAY_MS,
  ])
})
