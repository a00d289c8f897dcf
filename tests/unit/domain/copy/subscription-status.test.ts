import { describe, expect, test } from 'vitest'
import type { Subscription } from '../../../../contract/billing/subscriptions.ts'
import {
  canceledText,
  endedSentence,
  extensionText,
  isSubscriptionClosed,
  isRetentionReplaced,
  pausedText,
  subscriptionSentence,
  statusLabel,
} from '../../../../src/domain/copy/subscription-status.ts'
import { testClockText } from '../../../../src/domain/copy/test-clock.ts'
import { areDistinct, extractFacts, statesNoCharge, announcesRefund } from '../../../support/facts.ts'

const NOW = Date.UTC(2026, 10, 22, 9, 41)
const day = (month: number, date: number, year = 2026) => Date.UTC(year, month - 1, date, 9, 41)
const createSubscription = (change: Partial<Subscription> = {}): Subscription => ({
  ...({ subscription_id: 's1', sku: 'unlimited', status: 'active', quantity: 1, period: 'monthly' } as const),
  ...({ billing_provider: 'card', renews_at: day(12, 12), running: true, channel: 'web', revision: 1 } as const),
  since: 0,
  scheduled: null,
  next: null,
  paused_until: null,
  leaving: null,
  open: null,
  clock: 0,
  ...change,
})
const UNPAID_SUBSCRIPTION = createSubscription({
  status: 'past_due',
  renews_at: day(12, 4),
  open: { total: 1081, due_at: day(11, 20), tries: 2, next_tries: [], code: '4221', method: null },
})

describe('subscription status text', () => {
  test('does not call a bonus a trial', () => {
    const bonus = createSubscription({ channel: 'bonus', status: 'trial', sku: 'cam-ai', renews_at: day(12, 2) })
    const texts = [bonus, { ...bonus, channel: 'web' } as const].map(
      (subscription) => statusLabel(subscription, NOW).text,
    )
    expect(texts.map((text) => extractFacts(text, 'bonus', 'trial'))).toEqual([
      ['bonus', '10 days'],
      ['trial', '10 days'],
    ])
    expect(extractFacts(subscriptionSentence(bonus, NOW), 'free')).toEqual(['1', 'free', '2 Dec'])
  })

  test('canceled: states start and end, the refund, and that nothing more is charged', () => {
    const left = createSubscription({
      status: 'cancelled',
      leaving: { at: day(11, 19), to_method: 5413, to_balance: 100 },
    })
    const { text, tone } = statusLabel(left, NOW)
    expect([extractFacts(text), tone]).toEqual([['12 Dec'], 'warning'])
    const words = canceledText(left, NOW)
    expect(extractFacts(words, 'balance')).toEqual(['19 Nov', '$54.13', '$1.00', 'balance', '12 Dec', '26 Dec'])
    expect([statesNoCharge(words), announcesRefund(words)]).toEqual([true, true])
    expect(canceledText(createSubscription(), NOW)).toBe('')
    const ending = createSubscription({ ...left, leaving: { at: day(11, 19), to_method: 0, to_balance: 0 } })
    expect(extractFacts(canceledText(ending, NOW), 'will renew')).toEqual([
      '19 Nov',
      'will renew',
      '12 Dec',
      '12 Dec',
      '26 Dec',
    ])
    expect(canceledText({ ...ending, period: 'annual' }, NOW)).not.toContain('will renew')
    expect(canceledText({ ...ending, sku: 'hms' }, NOW)).not.toContain('clips')
  })

  test('paused: states the end and the effects; the subscription is not closed', () => {
    const paused = createSubscription({ running: false, paused_until: day(12, 22), renews_at: day(1, 11, 2027) })
    expect(extractFacts(statusLabel(paused, NOW).text)).toEqual(['22 Dec'])
    expect(extractFacts(pausedText(paused, NOW), 'clip history')).toEqual(['clip history', '11 Jan 2027'])
    expect(statesNoCharge(pausedText(paused, NOW))).toBe(true)
    expect(
      [paused, UNPAID_SUBSCRIPTION, createSubscription(), createSubscription({ running: false })].map(
        isSubscriptionClosed,
      ),
    ).toEqual([false, false, false, true])
  })

  test('ended: clips can return for two weeks, and not after that', () => {
    const ended = (at: number) => endedSentence(createSubscription({ running: false, renews_at: at }), NOW)
    const texts = [
      ended(day(11, 20)),
      ended(day(10, 1)),
      endedSentence(createSubscription({ sku: 'hms', renews_at: day(11, 20) }), NOW),
      endedSentence(createSubscription({ renews_at: day(11, 20) }), NOW, true),
    ]
    expect(texts.map((text) => extractFacts(text))).toEqual([
      ['20 Nov 2026', '4 Dec'],
      ['1 Oct 2026'],
      ['20 Nov 2026'],
      ['20 Nov 2026'],
    ])
    expect(texts.map((text) => text.includes('clips'))).toEqual([true, true, false, false])
    const over = createSubscription({ running: false })
    const replaced = (...all: Subscription[]) => isRetentionReplaced(over, [over, ...all])
    expect([replaced(createSubscription()), replaced(createSubscription({ sku: 'pro' }))]).toEqual([true, true])
    expect([
      replaced(),
      replaced(createSubscription({ sku: 'cam-ai' })),
      replaced(createSubscription({ sku: 'hms' })),
    ]).toEqual([false, false, false])
    expect(isRetentionReplaced(createSubscription({ sku: 'hms' }), [createSubscription()])).toBe(false)
  })

  test('free trial: states how much longer it can be extended', () => {
    const until = day(12, 4)
    const texts = [0, 5, 14].map((used) => extensionText({ used, maximum: 14, until }, NOW))
    expect(texts.map((text) => extractFacts(text))).toEqual([
      ['4 Dec', '14 days'],
      ['4 Dec', '5 days', '9 days'],
      ['4 Dec', '14 days'],
    ])
    expect(areDistinct(texts)).toBe(true)
  })

  test('names the test clock if it was moved', () => {
    expect(extractFacts(testClockText(41 * 86_400_000, NOW))).toEqual(['2 Jan 2027'])
    expect(testClockText(0, NOW)).toBe('')
  })
})
