import { describe, expect, test } from 'vitest'
import type { Subscription } from '../../contract/plans.ts'
import type { Quote } from '../../contract/purchase.ts'
import { ownWords } from '../../src/domain/plan-page-words.ts'
import { serviceSentence } from '../../src/domain/service-words.ts'

const NOW = Date.UTC(2026, 10, 22, 9, 41)
const ENDS = Date.UTC(2026, 11, 5, 9, 41)
const own = (status: Subscription['status']): Subscription => ({
  ...{
    subscription_id: 'sub_1',
    sku: 'unlimited',
    status,
    quantity: 1,
    period: 'monthly',
    channel: 'web',
    billing_provider: 'web',
  },
  ...{
    renews_at: ENDS,
    running: true,
    scheduled: null,
    next: null,
    paused_until: null,
    leaving: null,
    open: null,
    clock: 0,
    revision: 1,
    since: 0,
  },
})
const chosen = (sku: 'unlimited' | 'cam-ai') => ({ sku, period: 'monthly', quantity: 1 }) as const
const more = (status: Subscription['status'], sku: 'unlimited' | 'cam-ai' = 'unlimited') =>
  ownWords(own(status), chosen(sku), null, NOW).more

describe('what becomes of the plan that is there', () => {
  test('is said by its state and its day', () => {
    expect(more('active')).toBe('monthly. It renews 5 December.')
    expect(more('cancelled')).toBe('monthly. It ends 5 December.')
    expect(more('trial')).toBe('free until 5 December.')
  })

  test('a payment that did not go through is followed by the end, not by the day on which it was due', () => {
    expect(more('past_due')).toBe('monthly. A payment did not go through: it ends 5 December unless it is paid.')
    expect(serviceSentence(own('past_due'), NOW)).toBe(
      'Monthly · a payment did not go through, ends 5 December unless it is paid',
    )
  })

  test('what was not paid for is not taken off another plan', () => {
    expect(more('active', 'cam-ai')).toContain('It ends when Camera AI starts; what is unused is taken off the price.')
    expect(more('past_due', 'cam-ai')).toMatch(/It ends when Camera AI starts\.$/)
  })

  test('free days have no rhythm of payment', () => {
    expect(serviceSentence({ ...own('trial'), sku: 'cam-ai' }, NOW)).toBe(
      '1 camera, free · ends 5 December by itself, nothing is charged',
    )
  })

  test('what was chosen for later is said, and that choosing what runs calls it off', () => {
    const few: Subscription = {
      ...own('active'),
      ...{ sku: 'cam-ai', quantity: 5, renews_at: Date.UTC(2026, 11, 22, 12) },
      scheduled: { sku: 'cam-ai', period: 'monthly', quantity: 2 },
    }
    const { more } = ownWords(few, few, { is_undo: true, is_later: false } as Quote, NOW)
    expect(more).toBe(
      '5 cameras, monthly. It renews 22 December. From then on it is Camera AI, 2 cameras, monthly; another change replaces that. This calls that off: it goes on as it is. Nothing is due today.',
    )
  })
})
