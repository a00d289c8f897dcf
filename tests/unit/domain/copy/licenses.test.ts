import { expect, test } from 'vitest'
import type { Subscription } from '../../../../contract/billing/subscriptions.ts'
import { HIDDEN_DAYS } from '../../../../contract/billing/cancellation.ts'
import {
  assignedText,
  unassignedText,
  licensePrice,
  partialFailureText,
  reasonText,
  resultTitle,
  tooManyText,
} from '../../../../src/domain/copy/licenses.ts'
import { areDistinct, extractFacts } from '../../../support/facts.ts'

const NOW = new Date(2026, 10, 22).getTime()
const until = new Date(2026, 10, 30).getTime()
const plan = {
  ...{
    subscription_id: 's1',
    sku: 'cam-ai',
    status: 'active',
    quantity: 5,
    period: 'monthly',
    billing_provider: 'card',
  },
  ...{ renews_at: NOW, running: true, channel: 'web', revision: 1, since: 0, scheduled: null },
  ...{
    paused_until: null,
    leaving: null,
    open: null,
    clock: 0,
    next: { at: new Date(2026, 11, 8).getTime(), total: 1618 },
  },
} as Subscription
const unit = { monthly: 299, annual: 2999 }

test.each([
  [2, 1, ['2', '1']],
  [0, 3, ['3']],
  [1, 0, ['1']],
  [3, 0, ['3']],
])('the title for %i covered and %i remaining cameras contains %j', (covered, left, facts) => {
  expect(extractFacts(resultTitle(covered, left))).toEqual(facts)
})

test('the titles for none covered and all covered differ', () => {
  expect(areDistinct([resultTitle(0, 3), resultTitle(3, 0)])).toBe(true)
})

test('a reason says what covers the camera, and that no license was used', () => {
  const other = { channel: 'amazon', renews_at: until } as const
  const reasons = [
    reasonText('bound', other, NOW),
    reasonText('bound', null, NOW),
    reasonText('no_licence', null, NOW),
    reasonText('not_yours', null, NOW),
  ]
  expect(extractFacts(reasons[0] ?? '', 'Amazon')).toEqual(['Amazon', '30 Nov'])
  expect(extractFacts(reasonText('bound', { ...other, channel: 'bonus' }, NOW), 'Amazon', 'bonus')).toEqual([
    'bonus',
    '30 Nov',
  ])
  expect(areDistinct(reasons)).toBe(true)
  const part = partialFailureText(1, 2, 'Some failed.')
  expect([extractFacts(part), part.endsWith('Some failed.')]).toEqual([['1', '2'], true])
})

test('the text gives the days that a camera keeps, and would lose with its license', () => {
  expect(extractFacts(unassignedText('Backyard'), 'Backyard')).toEqual(['Backyard', '1 day', `${HIDDEN_DAYS} days`])
  const of = (isCovered: boolean, keepsDays: number) => extractFacts(assignedText({ isCovered, keepsDays }))
  expect([of(true, 14), of(true, 1), of(false, 1)]).toEqual([['14 days'], ['1 day'], []])
})

test('cameras chosen beyond the free licenses stay in the basket, and a text says so', () => {
  expect([tooManyText(3, 2), tooManyText(2, 1)].map((text) => extractFacts(text))).toEqual([['2'], ['1']])
  expect([tooManyText(2, 2), tooManyText(1, 0)]).toEqual(['', ''])
})

test('the price lists the next charge line by line, as far as it is known', () => {
  const rows = [825, null].map((rate) =>
    licensePrice(plan, unit, rate, NOW)?.map(({ title, cents }) => [extractFacts(title, 'month'), cents]),
  )
  expect(rows).toEqual([
    [
      [['5', '$2.99', 'month'], 1495],
      [['8.25 %'], 123],
      [['8 Dec'], 1618],
    ],
    [
      [['5', '$2.99', 'month'], 1495],
      [[], 123],
      [['8 Dec'], 1618],
    ],
  ])
  const fewer = { sku: 'cam-ai', period: 'monthly', quantity: 2 } as const
  expect(licensePrice({ ...plan, scheduled: fewer, next: { at: NOW, total: 647 } }, unit, 825, NOW)).toMatchObject([
    { cents: 598 },
    { cents: 49 },
    { cents: 647 },
  ])
  const other = { sku: 'unlimited', period: 'annual', quantity: 1 } as const
  expect([
    licensePrice({ ...plan, next: null }, unit, 825, NOW),
    licensePrice({ ...plan, status: 'past_due' }, unit, 825, NOW),
    licensePrice({ ...plan, scheduled: other }, unit, 825, NOW),
  ]).toEqual([null, null, null])
})
