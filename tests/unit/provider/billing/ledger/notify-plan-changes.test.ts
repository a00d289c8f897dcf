import { expect, test } from 'vitest'
import * as v from 'valibot'
import { advanceTestClock } from '../../../../../provider/billing/ledger/test-clock.ts'
import { applyCancellation } from '../../../../../provider/billing/ledger/cancel-subscription.ts'
import { addMethod } from '../../../../../provider/billing/ledger/payment-methods.ts'
import { listOutbox } from '../../../../../provider/billing/ledger/outbox.ts'
import { NOTIFICATION_FACTS } from '../../../../../provider/notifications/email/notification-data.ts'
import { buildEmail } from '../../../../../provider/notifications/email/email-templates.ts'
import { TEST_GATEWAY_METHOD, openTestLedger } from '../../../../support/book.ts'
import {
  buyPlan,
  NOW_MS,
  listSubscriptions,
  cameraAiSelection,
  ANNUAL_UNLIMITED,
} from '../../../../support/test-purchases.ts'
import { DAY_MS } from '../../../../../contract/time-units.ts'

test('every notification that a ledger sends can be rendered as an email', async () => {
  const testLedger = openTestLedger({ now: NOW_MS, card: false })
  const ends = { month: 11, year: 2028 }
  testLedger.book.transaction(() => addMethod(testLedger.context, 'session', { ...TEST_GATEWAY_METHOD, ends }, NOW_MS))
  await buyPlan(testLedger, cameraAiSelection(), NOW_MS, { isTrial: true })
  await advanceTestClock(testLedger.context, testLedger.billingService, {
    by: 20 * DAY_MS,
    now: NOW_MS,
  })
  let now = NOW_MS + 20 * DAY_MS
  await buyPlan(testLedger, ANNUAL_UNLIMITED, now)
  await advanceTestClock(testLedger.context, testLedger.billingService, {
    by: 760 * DAY_MS,
    now: NOW_MS,
  })
  testLedger.gateway.faults = ['declined']
  await advanceTestClock(testLedger.context, testLedger.billingService, {
    by: 370 * DAY_MS,
    now: NOW_MS,
  })
  now = NOW_MS + 1150 * DAY_MS
  const [subscription] = listSubscriptions(testLedger).filter(({ over }) => !over)
  if (subscription)
    testLedger.book.transaction(() =>
      applyCancellation(testLedger.context, subscription, { way: 'end', reason: null }, now),
    )
  await advanceTestClock(testLedger.context, testLedger.billingService, {
    by: 400 * DAY_MS,
    now: NOW_MS,
  })
  const messages = listOutbox(testLedger.book).filter((message) => message.kind === 'message')
  for (const { what: messageKind, facts } of messages) {
    const email = buildEmail(messageKind, v.parse(NOTIFICATION_FACTS[messageKind], facts))
    expect([messageKind, email.title.length > 8, email.text.length > 8]).toEqual([messageKind, true, true])
  }
  const kinds = new Set(messages.map(({ what: messageKind }) => messageKind))
  expect([...kinds].sort()).toEqual(['bill', 'card_ends', 'charge_failed', 'plan_ended', 'renewal_ahead', 'trial_ends'])
})
