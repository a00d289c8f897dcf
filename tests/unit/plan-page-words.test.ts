import { expect, test } from 'vitest'
import type { Subscription } from '../../contract/plans.ts'
import type { Quote } from '../../contract/purchase.ts'
import { ownWords } from '../../src/domain/plan-page-words.ts'

const NOW = Date.UTC(2026, 10, 22)
const own: Subscription = {
  ...{
    subscription_id: 's1',
    sku: 'cam-ai',
    status: 'active',
    quantity: 5,
    period: 'monthly',
    billing_provider: 'card',
  },
  ...{ renews_at: Date.UTC(2026, 11, 22, 12), running: true, channel: 'web', revision: 1, since: 0, next: null },
  scheduled: { sku: 'cam-ai', period: 'monthly', quantity: 2 },
}

test('what was chosen for later is said, and that choosing what runs calls it off', () => {
  const { more } = ownWords(own, own, { is_undo: true, is_later: false } as Quote, NOW)
  expect(more).toBe(
    '5 cameras, monthly. It renews 22 December. From then on it is Camera AI, 2 cameras, monthly; another change replaces that. This calls that off: it goes on as it is. Nothing is due today.',
  )
})
