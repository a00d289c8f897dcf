import type { MessageKind } from '../../contract/account/notifications.ts'
import type { Facts } from '../../provider/notifications/email/notification-data.ts'

export const DAY = Date.UTC(2026, 11, 22, 9, 41)
const visa = { brand: 'visa', last_four: '4242' }
const browser = { device: 'Chrome on Linux', address: '203.0.113.x' }

export const SAMPLE_FACTS: Facts = {
  trial_ends: { sku: 'cam-ai', at: DAY },
  renewal_ahead: { sku: 'unlimited', period: 'annual', quantity: 1, at: DAY, total: 10_824, ...visa },
  card_ends: { ...visa, month: 12, year: 2026, charge_at: DAY },
  charge_failed: {
    ...{ sku: 'unlimited', total: 1082, code: '4221', ...visa },
    ...{ next_try: DAY, until: DAY + 86_400_000 * 10 },
  },
  refund_failed: { bill: 'ABCDEFGHJK-9', total: 10_824, sku: 'unlimited', at: DAY, brand: 'visa', last_four: '4242' },
  plan_ended: { sku: 'unlimited', at: DAY, deleted_at: DAY + 86_400_000 * 14 },
  bill: { bill: 'PL-2026-000042', kind: 'invoice', total: 10_824, sku: 'unlimited', at: DAY, ...visa },
  shared_camera: { camera: 'Front door', owner: 'maya@example.com', at: DAY },
  new_sign_in: { ...browser, at: DAY },
  password_forgotten: { ...browser, until: DAY },
  account_leaves: { until: DAY, money: ['Unlimited ends at once. $108.24 is refunded.'] },
}
export const KINDS = Object.keys(SAMPLE_FACTS) as MessageKind[]
