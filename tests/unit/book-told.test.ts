import { expect, test } from 'vitest'
import * as v from 'valibot'
import { moveClock } from '../../provider/billing/ledger/test-clock.ts'
import { leave } from '../../provider/billing/ledger/cancellation.ts'
import { addMethod } from '../../provider/billing/ledger/payment-methods.ts'
import { outgoing } from '../../provider/billing/ledger/outbox.ts'
import { FACTS } from '../../provider/notifications/email/notification-data.ts'
import { letterOf } from '../../provider/notifications/email/email-templates.ts'
import { CARD, openBook } from '../support/book.ts'
import { buy, DAY, NOW, plansOf, T1, T2 } from '../support/buying.ts'

test('whatever a book tells its people can be told', async () => {
  const town = openBook({ now: NOW, card: false })
  const ends = { month: 11, year: 2028 }
  town.book.transaction(() => addMethod(town.ctx, 'session', { ...CARD, ends }, NOW))
  await buy(town, T1(), NOW, { isTrial: true })
  await moveClock(town.ctx, town.till, { by: 20 * DAY, now: NOW })
  let now = NOW + 20 * DAY
  await buy(town, T2, now)
  await moveClock(town.ctx, town.till, { by: 760 * DAY, now: NOW })
  town.gateway.faults = ['declined']
  await moveClock(town.ctx, town.till, { by: 370 * DAY, now: NOW })
  now = NOW + 1150 * DAY
  const [one] = plansOf(town).filter(({ over }) => !over)
  if (one) town.book.transaction(() => leave(town.ctx, one, { way: 'end', reason: null }, now))
  await moveClock(town.ctx, town.till, { by: 400 * DAY, now: NOW })
  const told = outgoing(town.book).filter((message) => message.kind === 'message')
  for (const { what, facts } of told) {
    const letter = letterOf(what, v.parse(FACTS[what], facts))
    expect([what, letter.title.length > 8, letter.text.length > 8]).toEqual([what, true, true])
  }
  const kinds = new Set(told.map(({ what }) => what))
  expect([...kinds].sort()).toEqual(['bill', 'card_ends', 'charge_failed', 'plan_ended', 'renewal_ahead', 'trial_ends'])
})
