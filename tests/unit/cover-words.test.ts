import { expect, test } from 'vitest'
import type { Subscription } from '../../contract/plans.ts'
import { HIDDEN_DAYS } from '../../contract/cancel.ts'
import {
  boundWords,
  freedWords,
  licencePrice,
  partWords,
  reasonWords,
  resultTitle,
  tooManyWords,
} from '../../src/domain/cover-words.ts'

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
  [2, 1, '2 covered, 1 still in your basket'],
  [0, 3, 'None is covered, 3 still in your basket'],
  [1, 0, '1 camera is covered'],
  [3, 0, '3 cameras are covered'],
])('%i covered and %i left are told as "%s"', (covered, left, text) => {
  expect(resultTitle(covered, left)).toBe(text)
})

test('a reason says what covers the camera, and that no licence was used', () => {
  expect(reasonWords('bound', { channel: 'amazon', renews_at: until }, NOW)).toBe(
    'A plan bought at Amazon covers it until 30 November. Your licence was not used.',
  )
  expect(reasonWords('bound', null, NOW)).toBe('Another plan covers it. Your licence was not used.')
  expect(reasonWords('no_licence', null, NOW)).toBe('No licence is free. No other camera has lost its own.')
  expect(partWords(1, 2, 'Some failed.')).toBe('1 of 2 cameras is covered. Some failed.')
})

test('what a camera keeps, and would lose with its licence, is said by days', () => {
  expect(freedWords('Backyard')).toBe(
    `Backyard keeps its clips for 1 day then. Older ones are hidden, and deleted after ${HIDDEN_DAYS} days.`,
  )
  const of = (isCovered: boolean, keepsDays: number) => boundWords({ isCovered, keepsDays })
  expect([of(true, 14), of(true, 1), of(false, 1)]).toEqual([
    'Keeps 14 days',
    'Keeps 1 day',
    'Not covered: there are fewer licences than cameras.',
  ])
})

test('what is chosen beyond the free licences stays in the basket, and that is said', () => {
  expect([tooManyWords(3, 2), tooManyWords(2, 1), tooManyWords(2, 2), tooManyWords(1, 0)]).toEqual([
    '2 licences are free. The others stay in your basket.',
    'One licence is free. The others stay in your basket.',
    '',
    '',
  ])
})

test('the price is what is charged next, line by line, as far as that is known', () => {
  const rows = [
    { title: '5 × $2.99 a month', cents: 1495 },
    { title: 'Sales tax, 8.25 %', cents: 123 },
    { title: '8 December', cents: 1618 },
  ]
  expect(licencePrice(plan, unit, 825, NOW)).toEqual(rows)
  expect(licencePrice(plan, unit, null, NOW)?.[1]).toEqual({ title: 'Sales tax', cents: 123 })
  const fewer = { sku: 'cam-ai', period: 'monthly', quantity: 2 } as const
  expect(licencePrice({ ...plan, scheduled: fewer, next: { at: NOW, total: 647 } }, unit, 825, NOW)).toMatchObject([
    { cents: 598 },
    { cents: 49 },
    { cents: 647 },
  ])
  const other = { sku: 'unlimited', period: 'annual', quantity: 1 } as const
  expect([
    licencePrice({ ...plan, next: null }, unit, 825, NOW),
    licencePrice({ ...plan, status: 'past_due' }, unit, 825, NOW),
    licencePrice({ ...plan, scheduled: other }, unit, 825, NOW),
  ]).toEqual([null, null, null])
})
