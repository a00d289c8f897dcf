import { describe, expect, test } from 'vitest'
import { PLANS } from '../../../../contract/billing/plan-catalog.ts'
import type { Subscription } from '../../../../contract/billing/subscriptions.ts'
import { findCheapestPlan, type Prices } from '../../../../src/domain/billing/plan-comparison.ts'
import { PLAN_CARD_SKUS } from '../../../../src/domain/copy/plan-cards.ts'
import {
  keptClipsTexts,
  planAction,
  planNote,
  suggestionText,
  type OwnPlan,
} from '../../../../src/domain/copy/plan-offers.ts'
import { extractFacts } from '../../../support/facts.ts'

const NOW = Date.UTC(2026, 10, 22, 12)
const prices = Object.fromEntries(
  PLANS.map(({ sku, monthlyCents, annualCents }) => [sku, { monthly: monthlyCents, annual: annualCents }]),
) as Prices
const createOwnPlan = (change: Partial<Subscription> = {}): Subscription => ({
  subscription_id: 'sub_1',
  sku: 'cam-ai',
  status: 'active',
  quantity: 3,
  period: 'monthly',
  channel: 'web',
  billing_provider: 'web',
  renews_at: Date.UTC(2026, 11, 5, 12),
  running: true,
  scheduled: null,
  next: null,
  paused_until: null,
  leaving: null,
  open: null,
  clock: 0,
  revision: 1,
  since: 0,
  ...change,
})
const options = { period: 'monthly', isOnSale: true, now: NOW } as const
const actionsFor = (own: OwnPlan, change: Partial<Parameters<typeof planAction>[2]> = {}) =>
  PLAN_CARD_SKUS.map((sku) => planAction(sku, own, { ...options, ...change }))
const noteContext = { own: null, period: 'monthly', prices, currency: 'USD', covered: null, now: NOW } as const
const notesFor = (change: Partial<Parameters<typeof planNote>[1]> = {}) =>
  PLAN_CARD_SKUS.map((sku) => planNote(sku, { ...noteContext, ...change }))

describe('action of a plan card', () => {
  test('without a plan chooses each paid plan, with the period in the link', () => {
    const actions = actionsFor(null)
    expect(actions.map(({ text }) => text)).toEqual([
      'Current plan',
      'Choose Camera AI',
      'Choose Unlimited',
      'Choose Unlimited Pro',
    ])
    expect(actions.map(({ href }) => href)).toEqual([
      null,
      '/account/products/camera-ai?period=monthly',
      '/account/products/unlimited?period=monthly',
      '/account/products/unlimited?period=monthly&plan=pro',
    ])
  })

  test('with a plan per camera changes the quantity, and Free starts the cancellation', () => {
    const [free, cameraAi] = actionsFor(createOwnPlan())
    expect(free).toEqual({ text: 'Switch to Free', href: '/account/services', isCancellation: true })
    expect(cameraAi?.text).toBe('Change number of cameras')
  })

  test('with a plan for the home offers only the other period', () => {
    const own = createOwnPlan({ sku: 'pro', quantity: 1 })
    expect(actionsFor(own)[3]).toEqual({ text: 'Current plan', href: null })
    expect(actionsFor(own, { period: 'annual' })[3]).toEqual({
      text: 'Switch to annual billing',
      href: '/account/products/unlimited?period=annual&plan=pro',
    })
  })

  test.each<[Partial<Subscription>, string, string]>([
    [{ status: 'cancelled' }, 'Undo cancellation', 'Starts 5 December'],
    [{ status: 'trial' }, 'Subscribe', 'Starts 5 December'],
    [{ channel: 'bonus' }, 'Current plan', 'Starts 5 December'],
    [{ channel: 'amazon' }, 'Current plan', 'Cancel on Amazon'],
  ])('with %j does not offer a second cancellation', (change, ownText, freeText) => {
    const [free, cameraAi] = actionsFor(createOwnPlan(change))
    expect(cameraAi?.text).toBe(ownText)
    expect(extractFacts(free?.text ?? '')).toEqual(extractFacts(freeText))
    expect(free).toMatchObject({ href: null })
    expect(free).not.toHaveProperty('isCancellation')
  })

  test('claims nothing until the subscriptions are known, and links to no plan that is not on sale', () => {
    expect(actionsFor('loading')[0]).toEqual({ text: '', href: null })
    expect(actionsFor(null, { isOnSale: false }).map(({ href }) => href)).toEqual([null, null, null, null])
  })
})

describe('note of a plan card', () => {
  test('fits on one line and shows the price of the longer history, or the saving of a year', () => {
    const notes = [...notesFor(), ...notesFor({ period: 'annual' })]
    expect(notes.map((note) => extractFacts(note))).toEqual([
      [],
      [],
      [],
      ['$10.00', '30'],
      [],
      ['$5.89'],
      ['$19.89'],
      ['$39.89'],
    ])
    expect(Math.max(...notes.map(({ length }) => length))).toBeLessThanOrEqual(34)
  })

  test.each<[Partial<Subscription>, number | null, string[]]>([
    [{}, 2, ['2', '3']],
    [{}, null, []],
    [{ status: 'cancelled' }, 2, ['5 Dec']],
    [{ status: 'trial' }, 1, ['5 Dec']],
  ])('of the own plan %j shows its terms', (change, covered, facts) => {
    const note = notesFor({ own: createOwnPlan(change), covered })[1] ?? ''
    expect(note).not.toBe('')
    expect(extractFacts(note)).toEqual(facts)
  })

  test('of the suggested plan shows what it saves', () => {
    const suggestions = [1, 6].map((cameras) => {
      const best = findCheapestPlan(cameras, prices, 'monthly')
      return [best?.sku, best && extractFacts(suggestionText(best, cameras, 'USD'))]
    })
    expect(suggestions).toEqual([
      ['cam-ai', ['$7.00', '1']],
      ['unlimited', ['$7.95', '6']],
    ])
  })
})

test.each([
  [{ sku: 'free', cameras: 6, kept: 74, lost: 2088 }, ['74', '2,162'], []],
  [{ sku: 'cam-ai', cameras: 6, kept: 1010, lost: 1152 }, ['1,010', '2,162'], ['6']],
  [{ sku: 'cam-ai', cameras: 2, kept: 1010, lost: 1152 }, ['1,010', '2,162'], ['2', '6']],
  [{ sku: 'unlimited', cameras: 6, kept: 2162, lost: 0 }, ['2,162', '2,162'], ['30 days']],
  [{ sku: 'pro', cameras: 6, kept: 2162, lost: 0 }, ['2,162', '2,162'], ['30 days']],
] as const)('the meter of %j shows the clips and what they come from', (row, count, reach) => {
  const texts = keptClipsTexts(row, { clips: 2162, cameras: 6, days: 30 })
  expect([extractFacts(texts.count), extractFacts(texts.reach)]).toEqual([count, reach])
})
