import { expect, test } from 'vitest'
import { isFreeType } from '../../../../src/domain/events/event-types.ts'
import { formatPriceUnit, HOME_MONITORING_ROW, PLAN_CARDS } from '../../../../src/domain/copy/plan-cards.ts'
import { getPlan } from '../../../../contract/billing/plan-catalog.ts'

test('plan cards are in the order of every page, with the days of the catalog', () => {
  expect(PLAN_CARDS.map(({ name }) => name)).toEqual(['Free', 'Camera AI', 'Unlimited Cameras', 'Unlimited Pro'])
  for (const { sku, features } of PLAN_CARDS) {
    const keepsDays = getPlan(sku).keepsDays ?? 0
    expect(features.join('\n')).toMatch(new RegExp(`\\b${keepsDays} days?\\b`))
  }
})

test('only a plan with search promises search, and faces are not an event type of the free plan', () => {
  for (const { sku, features } of PLAN_CARDS.filter(({ sku }) => sku !== 'pro')) {
    expect(features.some((feature) => feature.startsWith('Search'))).toBe(getPlan(sku).search)
    expect(features.some((feature) => feature.includes('faces'))).toBe(sku !== 'free')
  }
  const FACE_TAG = '12'
  expect(isFreeType(FACE_TAG)).toBe(false)
})

test('no row of a card is longer than one line of a card, about 26 characters', () => {
  const rows = PLAN_CARDS.flatMap(({ features }) => features)
  expect(rows.filter((row) => row.length > 27)).toEqual([])
})

test('a paid plan has a billing period in its price unit, the free plan has none', () => {
  expect(PLAN_CARDS.map((card) => formatPriceUnit(card, 'annual'))).toEqual([
    'all cameras',
    'a year, per camera',
    'a year, all cameras',
    'a year, all cameras',
  ])
})

test('home monitoring promises no monitoring while the brand has no such service', () => {
  expect(HOME_MONITORING_ROW.hasService).toBe(false)
  expect(HOME_MONITORING_ROW.sentence).toMatch(/no one monitors your home/)
})
