import { expect, test } from 'vitest'
import * as v from 'valibot'
import { advanceTestClock } from '../../../../../provider/billing/ledger/test-clock.ts'
import { applyCancellation } from '../../../../../provider/billing/ledger/cancel-subscription.ts'
import { addMethod } from '../../../../../provider/billing/ledger/payment-methods.ts'
import { outgoing } from '../../../../../provider/billing/ledger/outbox.ts'
import { FACTS } from '../../../../../provider/notifications/email/notification-data.ts'
import { buildEmail } from '../../../../../provider/notifications/email/email-templates.ts'
import { CARD, openBook } from '../../../../support/book.ts'
import { buy, NOW, listSubscriptions, T1, T2 } from '../../../../support/buying.ts'
import { DAY_MS } from '../../../../../contract/time-units.ts'

test('every notification that a ledger sends can be rendered as an email', async () => {
  const town = openBook({ now: NOW, card: false })
  const ends = { month: 11, year: 2028 }
  town.book.transaction(() => addMethod(town.ctx, 'session', { ...CARD, ends }, NOW))
  await buy(town, T1(), NOW, { isTrial: true })
  await advanceTestClock(town.ctx, town.till, { by: 20 * DAY_MS, now: NOW })
  let now = NOW + 20 * DAY_MS
  await buy(town, T2, now)
  await advanceTestClock(town.ctx, town.till, { by: 760 * DAY_MS, now: NOW })
  town.gateway.faults = ['declined']
  await advanceTestClock(town.ctx, town.till, { by: 370 * DAY_MS, now: NOW })
  now = NOW + 1150 * DAY_MS
  const [subscription] = listSubscriptions(town).filter(({ over }) => !over)
  if (subscription)
    town.book.transaction(() => applyCancellation(town.ctx, subscription, { way: 'end', reason: null }, now))
  await advanceTestClock(town.ctx, town.till, { by: 400 * DAY_MS, now: NOW })
  const messages = outgoing(town.book).filter((message) => message.kind === 'message')
  for (const { what: messageKind, facts } of messages) {
    const letter = buildEmail(messageKind, v.parse(FACTS[messageKind], facts))
    expect([messageKind, letter.title.length > 8, letter.text.length > 8]).toEqual([messageKind, true, true])
  }
  const kinds = new Set(messages.map(({ what: messageKind }) => messageKind))
  expect([...kinds].sort()).toEqual(['bill', 'card_ends', 'charge_failed', 'plan_ended', 'renewal_ahead', 'trial_ends'])
})
