import { expect, test } from 'vitest'
import { addMethod } from '../../../../../provider/billing/ledger/payment-methods.ts'
import { listOutbox } from '../../../../../provider/billing/ledger/outbox.ts'
import { buildProjection } from '../../../../../provider/billing/ledger/projection.ts'
import { listAttemptTimes } from '../../../../../provider/billing/ledger/renewal-retries.ts'
import { hasAccess } from '../../../../../provider/billing/ledger/subscription-rules.ts'
import { TEST_GATEWAY_METHOD, openTestLedger, type TestLedger } from '../../../../support/book.ts'
import {
  parseUtc,
  buyPlan,
  nextIdempotencyKey,
  expectBalancedLedger,
  NOW_MS,
  listSubscriptions,
  cameraAiSelection,
  ANNUAL_UNLIMITED,
} from '../../../../support/test-purchases.ts'
import { DAY_MS } from '../../../../../contract/time-units.ts'

const getOnlySubscription = (testLedger: TestLedger) => listSubscriptions(testLedger)[0]!
const DUE_AT = parseUtc('2026-12-22T09:41:00')

async function openDeclinedLedger(): Promise<{ testLedger: TestLedger; method: string }> {
  const testLedger = openTestLedger({ now: NOW_MS })
  await buyPlan(testLedger, cameraAiSelection(3), NOW_MS)
  const { method_id } = testLedger.book.transaction(() =>
    addMethod(testLedger.context, 'session_2', { ...TEST_GATEWAY_METHOD, token: 't2' }, NOW_MS),
  )
  testLedger.gateway.faults = ['declined']
  await testLedger.billingService.processDue(DUE_AT)
  return { testLedger, method: method_id }
}
const buildRequest = ({ book }: TestLedger, methodId: string, intent = nextIdempotencyKey()) => {
  const [subscription] = book.listRecords('subscription')
  return { subscription_id: subscription!.subscription_id, revision: subscription!.revision, methodId, intent }
}

test('a declined charge reports its reason and the time of its retry', async () => {
  const { testLedger } = await openDeclinedLedger()
  expect(getOnlySubscription(testLedger).overdue).toMatchObject({
    tries: 1,
    code: '4221',
    method: { brand: 'visa', last_four: '4242' },
  })
  const messages = listOutbox(testLedger.book).filter((message) => message.kind === 'message')
  expect(messages.find(({ what: messageKind }) => messageKind === 'charge_failed')?.facts).toMatchObject({
    sku: 'cam-ai',
    total: 971,
    code: '4221',
    next_try: DUE_AT + DAY_MS,
    until: DUE_AT + 14 * DAY_MS,
  })
})

test('the projection has the time of each automatic attempt, but not of attempts that the buyer made', async () => {
  const { testLedger, method } = await openDeclinedLedger()
  testLedger.gateway.faults = ['declined', 'declined']
  await testLedger.billingService.payOpenInvoice(buildRequest(testLedger, method), DUE_AT + 1000)
  await testLedger.billingService.processDue(DUE_AT + DAY_MS)
  const subscription = getOnlySubscription(testLedger)
  expect(subscription.overdue?.tries).toBe(2)
  expect(listAttemptTimes(testLedger.book, subscription)).toEqual([DUE_AT, DUE_AT + DAY_MS])
  const message = { kind: 'subscription', id: subscription.subscription_id, seq: 9 } as const
  const extras = buildProjection(testLedger.book, message, 825)[0]?.values.find((value) => /"open"/.test(String(value)))
  expect(JSON.parse(String(extras))).toMatchObject({ open: { tries: 2, tried_at: [DUE_AT, DUE_AT + DAY_MS] } })
})

test('a decline from before the ledger existed has no attempt times', async () => {
  const { testLedger } = await openDeclinedLedger()
  const subscription = getOnlySubscription(testLedger)
  const listTimes = (change: object) =>
    listAttemptTimes(testLedger.book, { ...subscription, overdue: { ...subscription.overdue!, ...change } })
  expect([listTimes({}), listTimes({ tries: 2 }), listTimes({ since: DUE_AT - 1 })]).toEqual([
    [DUE_AT],
    undefined,
    undefined,
  ])
})

test('one charge to another payment method pays the invoice, and that method pays from then on', async () => {
  const { testLedger, method } = await openDeclinedLedger()
  const request = buildRequest(testLedger, method)
  const answer = await testLedger.billingService.payOpenInvoice(request, DUE_AT + 3_600_000)
  expect(answer).toMatchObject({ state: 'done', paid: 971 })
  expect(await testLedger.billingService.payOpenInvoice(request, DUE_AT + 3_700_000)).toEqual(answer)
  expect(getOnlySubscription(testLedger)).toMatchObject({ status: 'active', from: DUE_AT, overdue: null })
  expect(testLedger.book.listRecords('method').find(({ is_default }) => is_default)?.method_id).toBe(method)
  const [bill] = testLedger.book.listRecords('invoice').filter(({ at: day }) => day === DUE_AT)
  expect(bill).toMatchObject({ state: 'paid', paid: 971, paid_at: DUE_AT + 3_600_000 })
  expectBalancedLedger(testLedger)
})

test('a decline is reported and is not an automatic retry; nothing is open twice', async () => {
  const { testLedger, method } = await openDeclinedLedger()
  testLedger.gateway.faults = ['declined']
  expect(await testLedger.billingService.payOpenInvoice(buildRequest(testLedger, method), DUE_AT + 1000)).toMatchObject(
    {
      state: 'refused',
      status: 402,
    },
  )
  expect(getOnlySubscription(testLedger).overdue?.tries).toBe(1)
  expect(
    await testLedger.billingService.payOpenInvoice(buildRequest(testLedger, 'unknown_method'), DUE_AT + 2000),
  ).toMatchObject({
    code: 'no_method',
  })
  expect(await testLedger.billingService.payOpenInvoice(buildRequest(testLedger, method), DUE_AT + 3000)).toMatchObject(
    {
      state: 'done',
    },
  )
  expect(await testLedger.billingService.payOpenInvoice(buildRequest(testLedger, method), DUE_AT + 4000)).toMatchObject(
    {
      code: 'stale',
    },
  )
  expectBalancedLedger(testLedger)
})

test('a slow bank response is tracked as a task, and the card is charged once', async () => {
  const { testLedger, method } = await openDeclinedLedger()
  testLedger.gateway.faults = ['pending']
  const request = buildRequest(testLedger, method)
  const answer = await testLedger.billingService.payOpenInvoice(request, DUE_AT + 1000)
  expect(answer).toMatchObject({ state: 'pending' })
  const task = answer.state === 'pending' ? answer.process_id : ''
  expect(await testLedger.billingService.advanceTask(task, DUE_AT + 9000)).toMatchObject({
    state: 'done',
    order: { paid: 971 },
  })
  expect(await testLedger.billingService.payOpenInvoice(request, DUE_AT + 10_000)).toMatchObject({
    state: 'done',
    paid: 971,
  })
  expect([...testLedger.gateway.chargesByKey.values()].filter(({ state }) => state === 'captured')).toHaveLength(2)
  expectBalancedLedger(testLedger)
})

test('an unanswered retry is dropped once its grace period has ended', async () => {
  const { testLedger } = await openDeclinedLedger()
  testLedger.gateway.faults = Array<'down'>(400).fill('down')
  await testLedger.billingService.processDue(DUE_AT + DAY_MS)
  expect(testLedger.book.listRecords('charge').filter(({ state }) => state === 'written')).toHaveLength(1)
  await testLedger.billingService.processDue(DUE_AT + 14 * DAY_MS + 7_200_000)
  await testLedger.billingService.processDue(DUE_AT + 14 * DAY_MS + 9_000_000)
  testLedger.gateway.faults = []
  await testLedger.billingService.processDue(DUE_AT + 20 * DAY_MS)
  expect([getOnlySubscription(testLedger).over, getOnlySubscription(testLedger).until]).toEqual([
    true,
    DUE_AT + 14 * DAY_MS,
  ])
  expect((await testLedger.gateway.charges()).map(({ cents }) => cents)).toEqual([971])
  expectBalancedLedger(testLedger)
})

test.each([
  ['runs if it is at most an hour late', 3_600_000, 'active'],
  ['does not run if it is later than that', 3_600_001, 'cancelled'],
])('the last retry %s', async (_, delayMs, status) => {
  const { testLedger } = await openDeclinedLedger()
  for (const days of [1, 3, 7]) {
    testLedger.gateway.faults = ['declined']
    await testLedger.billingService.processDue(DUE_AT + days * DAY_MS)
  }
  await testLedger.billingService.processDue(DUE_AT + 14 * DAY_MS + delayMs)
  expect(getOnlySubscription(testLedger).status).toBe(status)
})

test('the grace period counts from the decline', async () => {
  const testLedger = openTestLedger({ now: NOW_MS })
  await buyPlan(testLedger, cameraAiSelection(), NOW_MS)
  testLedger.gateway.faults = ['declined']
  await testLedger.billingService.processDue(DUE_AT + 2 * DAY_MS)
  const at = [DUE_AT + 16 * DAY_MS - 1, DUE_AT + 16 * DAY_MS]
  expect(at.map((now) => hasAccess(getOnlySubscription(testLedger), now))).toEqual([true, false])
})

test('notifications precede annual renewals by 30 days, trial ends by 3 days, card expiry by a month', async () => {
  const testLedger = openTestLedger({ now: NOW_MS, card: false })
  testLedger.book.transaction(() =>
    addMethod(testLedger.context, 's', { ...TEST_GATEWAY_METHOD, ends: { month: 10, year: 2027 } }, NOW_MS),
  )
  await buyPlan(testLedger, ANNUAL_UNLIMITED, NOW_MS)
  const listMessages = () =>
    listOutbox(testLedger.book).flatMap((message) =>
      message.kind === 'message' && message.what !== 'bill' ? [[message.what, message.at]] : [],
    )
  const ahead = parseUtc('2027-10-23T09:41:00')
  await testLedger.billingService.processDue(parseUtc('2027-10-02T00:00:00') - 1)
  expect(listMessages()).toEqual([])
  await testLedger.billingService.processDue(parseUtc('2027-10-02T00:00:00'))
  expect(listMessages()).toEqual([['card_ends', parseUtc('2027-10-02T00:00:00')]])
  await testLedger.billingService.processDue(ahead)
  await testLedger.billingService.processDue(ahead + DAY_MS)
  expect(listMessages().slice(1)).toEqual([['renewal_ahead', ahead]])
  const renewal = listOutbox(testLedger.book).find((message) => 'what' in message && message.what === 'renewal_ahead')
  const facts = renewal && 'facts' in renewal ? renewal.facts : {}
  expect(facts).toMatchObject({ month: 10, year: 2027 })
  expect(Number(facts['net']) + Number(facts['tax'])).toBe(facts['total'])
  const trialLedger = openTestLedger({ now: NOW_MS })
  await buyPlan(trialLedger, cameraAiSelection(), NOW_MS, { isTrial: true })
  await trialLedger.billingService.processDue(NOW_MS + 11 * DAY_MS)
  expect(
    listOutbox(trialLedger.book).filter((message) => message.kind === 'message' && message.what === 'trial_ends'),
  ).toHaveLength(1)
})
