import { expect, test } from 'vitest'
import type { Subscription } from '../../../../contract/billing/subscriptions.ts'
import { SOFT_DELETE_DAYS } from '../../../../contract/billing/cancellation.ts'
import {
  assignedText,
  unassignedText,
  listLicensePriceRows,
  partialFailureText,
  assignmentRefusalText,
  assignmentResultTitle,
  tooFewLicensesText,
} from '../../../../src/domain/copy/licenses.ts'
import { areDistinct, extractFacts } from '../../../support/facts.ts'

const NOW = new Date(2026, 10, 22).getTime()
const REPLACEMENT_END = new Date(2026, 10, 30).getTime()
const CAMERA_AI_SUBSCRIPTION = {
  subscription_id: 's1',
  sku: 'cam-ai',
  status: 'active',
  quantity: 5,
  period: 'monthly',
  billing_provider: 'card',
  renews_at: NOW,
  running: true,
  channel: 'web',
  revision: 1,
  since: 0,
  scheduled: null,
  paused_until: null,
  leaving: null,
  open: null,
  clock: 0,
  next: { at: new Date(2026, 11, 8).getTime(), total: 1618 },
} as Subscription
const UNIT_PRICE_CENTS = { monthly: 299, annual: 2999 }

test.each([
  [2, 1, ['2', '1']],
  [0, 3, ['3']],
  [1, 0, ['1']],
  [3, 0, ['3']],
])('the title for %i covered and %i remaining cameras contains %j', (covered, left, facts) => {
  expect(extractFacts(assignmentResultTitle(covered, left))).toEqual(facts)
})

test('the titles for none covered and all covered differ', () => {
  expect(areDistinct([assignmentResultTitle(0, 3), assignmentResultTitle(3, 0)])).toBe(true)
})

test('a reason says what covers the camera, and that no license was used', () => {
  const other = { channel: 'amazon', renews_at: REPLACEMENT_END } as const
  const reasons = [
    assignmentRefusalText('bound', other, NOW),
    assignmentRefusalText('bound', null, NOW),
    assignmentRefusalText('no_licence', null, NOW),
    assignmentRefusalText('not_yours', null, NOW),
  ]
  expect(extractFacts(reasons[0] ?? '', 'Amazon')).toEqual(['Amazon', '30 Nov'])
  expect(extractFacts(assignmentRefusalText('bound', { ...other, channel: 'bonus' }, NOW), 'Amazon', 'bonus')).toEqual([
    'bonus',
    '30 Nov',
  ])
  expect(areDistinct(reasons)).toBe(true)
  const part = partialFailureText(1, 2, 'Some failed.')
  expect([extractFacts(part), part.endsWith('Some failed.')]).toEqual([['1', '2'], true])
})

test('the text gives the days that a camera keeps, and would lose with its license', () => {
  expect(extractFacts(unassignedText('Backyard'), 'Backyard')).toEqual([
    'Backyard',
    '1 day',
    `${SOFT_DELETE_DAYS} days`,
  ])
  const extractAssignedFacts = (isCovered: boolean, keepsDays: number) =>
    extractFacts(assignedText({ isCovered, keepsDays }))
  expect([extractAssignedFacts(true, 14), extractAssignedFacts(true, 1), extractAssignedFacts(false, 1)]).toEqual([
    ['14 days'],
    ['1 day'],
    [],
  ])
})

test('cameras chosen beyond the free licenses stay in the basket, and a text says so', () => {
  expect([tooFewLicensesText(3, 2), tooFewLicensesText(2, 1)].map((text) => extractFacts(text))).toEqual([
    ['2', '2'],
    ['1'],
  ])
  expect([tooFewLicensesText(2, 2), tooFewLicensesText(1, 0)]).toEqual(['', ''])
})

test('the price lists the next charge line by line, as far as it is known', () => {
  const rows = [825, null].map((rate) =>
    listLicensePriceRows(CAMERA_AI_SUBSCRIPTION, UNIT_PRICE_CENTS, rate, NOW)?.map(({ title, cents }) => [
      extractFacts(title, 'month'),
      cents,
    ]),
  )
  expect(rows).toEqual([
    [
      [['5', '$2.99', 'month'], 1495],
      [['8.25%'], 123],
      [['8 Dec'], 1618],
    ],
    [
      [['5', '$2.99', 'month'], 1495],
      [[], 123],
      [['8 Dec'], 1618],
    ],
  ])
  const fewer = { sku: 'cam-ai', period: 'monthly', quantity: 2 } as const
  expect(
    listLicensePriceRows(
      { ...CAMERA_AI_SUBSCRIPTION, scheduled: fewer, next: { at: NOW, total: 647 } },
      UNIT_PRICE_CENTS,
      825,
      NOW,
    ),
  ).toMatchObject([{ cents: 598 }, { cents: 49 }, { cents: 647 }])
  const other = { sku: 'unlimited', period: 'annual', quantity: 1 } as const
  expect([
    listLicensePriceRows({ ...CAMERA_AI_SUBSCRIPTION, next: null }, UNIT_PRICE_CENTS, 825, NOW),
    listLicensePriceRows({ ...CAMERA_AI_SUBSCRIPTION, status: 'past_due' }, UNIT_PRICE_CENTS, 825, NOW),
    listLicensePriceRows({ ...CAMERA_AI_SUBSCRIPTION, scheduled: other }, UNIT_PRICE_CENTS, 825, NOW),
  ]).toEqual([null, null, null])
})
