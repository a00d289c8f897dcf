import { describe, expect, test } from 'vitest'
import type { Subscription } from '../../../../contract/billing/subscriptions.ts'
import { type ChangeTerms, ownPlanText, unlimitedSavingText } from '../../../../src/domain/copy/plan-page.ts'
import { subscriptionSentence } from '../../../../src/domain/copy/subscription-status.ts'
import { extractFacts, statesNoCharge } from '../../../support/facts.ts'

const NOW = Date.UTC(2026, 10, 22, 9, 41)
const PERIOD_END = Date.UTC(2026, 11, 5, 9, 41)
const createOwnSubscription = (status: Subscription['status']): Subscription => ({
  subscription_id: 'sub_1',
  sku: 'unlimited',
  status,
  quantity: 1,
  period: 'monthly',
  channel: 'web',
  billing_provider: 'web',
  renews_at: PERIOD_END,
  running: true,
  scheduled: null,
  next: null,
  paused_until: null,
  leaving: null,
  open: null,
  clock: 0,
  revision: 1,
  since: 0,
})
const createSelection = (sku: 'unlimited' | 'cam-ai') => ({ sku, period: 'monthly', quantity: 1 }) as const
const getPlanNotice = (
  status: Subscription['status'],
  sku: 'unlimited' | 'cam-ai' = 'unlimited',
  terms: ChangeTerms | null = null,
) => joinPlanText(createOwnSubscription(status), createSelection(sku), terms)
function joinPlanText(own: Subscription, chosen: Parameters<typeof ownPlanText>[1], terms: ChangeTerms | null) {
  const { more, change } = ownPlanText(own, chosen, terms, NOW)
  return more + change
}

describe('notice about the current plan', () => {
  test('names the state and its date', () => {
    const sentences = (['active', 'cancelled', 'trial'] as const).map((status) => getPlanNotice(status))
    expect(sentences.map((text) => extractFacts(text, 'monthly', 'free', 'renews', 'ends'))).toEqual([
      ['monthly', 'renews', '5 Dec'],
      ['monthly', 'ends', '5 Dec'],
      ['free', '5 Dec'],
    ])
  })

  test('names the end after a failed payment, not the due date', () => {
    const ends = ['monthly', 'ends', '5 Dec', 'unless']
    expect(extractFacts(getPlanNotice('past_due'), 'monthly', 'ends', 'renews', 'unless')).toEqual(ends)
    expect(
      extractFacts(subscriptionSentence(createOwnSubscription('past_due'), NOW), 'monthly', 'ends', 'renews', 'unless'),
    ).toEqual(ends)
  })

  test('does not credit an unpaid plan toward another plan', () => {
    const sentences = (['active', 'past_due'] as const).map((status) =>
      getPlanNotice(status, 'cam-ai', { is_later: false }),
    )
    expect(sentences.map((text) => extractFacts(text, 'price'))).toEqual([
      ['5 Dec', 'Camera AI', 'price'],
      ['5 Dec', 'Camera AI'],
    ])
  })

  test('says nothing about the start of another plan without a quote', () => {
    expect(extractFacts(getPlanNotice('active', 'cam-ai'), 'price', 'credit', 'starts')).toEqual(['5 Dec'])
  })

  test('names no billing period for a free trial', () => {
    const sentence = subscriptionSentence({ ...createOwnSubscription('trial'), sku: 'cam-ai' }, NOW)
    expect(extractFacts(sentence, 'free', 'monthly')).toEqual(['free', '1', '5 Dec'])
    expect(statesNoCharge(sentence)).toBe(true)
  })

  test('names a scheduled change, and that choosing the current plan cancels it', () => {
    const few: Subscription = {
      ...createOwnSubscription('active'),
      sku: 'cam-ai',
      quantity: 5,
      renews_at: Date.UTC(2026, 11, 22, 12),
      scheduled: { sku: 'cam-ai', period: 'monthly', quantity: 2 },
    }
    const texts = [true, false].map((is_undo) => joinPlanText(few, few, { is_undo, is_later: !is_undo }))
    const facts = ['5', 'monthly', '22 Dec', 'Camera AI', '2', 'monthly']
    expect(texts.map((text) => extractFacts(text, 'monthly'))).toEqual([facts, [...facts, '22 Dec']])
  })
})

describe('advice to choose Unlimited', () => {
  const getAdvice = (quantity: number) =>
    unlimitedSavingText({ license: 2999, unlimited: 9999 }, quantity, 'annual', 'USD')

  test('gives the saving for the period, only if there is one', () => {
    expect([getAdvice(3), getAdvice(NaN)]).toEqual(['', ''])
    expect(extractFacts(getAdvice(6), 'year')).toEqual(['Unlimited Cameras', '$79.95', 'year'])
  })
})
