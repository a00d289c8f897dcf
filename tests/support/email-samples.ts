import type { NotificationKind } from '../../contract/account/notifications.ts'
import type { NotificationFacts } from '../../provider/notifications/email/notification-data.ts'

export const SAMPLE_TIME = Date.UTC(2026, 11, 22, 9, 41)
const VISA_CARD = { brand: 'visa', last_four: '4242' }
const SAMPLE_BROWSER = { device: 'Chrome on Linux', address: '203.0.113.x' }

export const SAMPLE_FACTS: NotificationFacts = {
  trial_ends: { sku: 'cam-ai', at: SAMPLE_TIME },
  renewal_ahead: {
    sku: 'unlimited',
    period: 'annual',
    quantity: 1,
    at: SAMPLE_TIME,
    total: 10_824,
    net: 9999,
    tax: 825,
    month: 8,
    year: 2028,
    ...VISA_CARD,
  },
  card_ends: { ...VISA_CARD, month: 12, year: 2026, charge_at: SAMPLE_TIME },
  charge_failed: {
    sku: 'unlimited',
    total: 1082,
    code: '4221',
    ...VISA_CARD,
    next_try: SAMPLE_TIME,
    until: SAMPLE_TIME + 86_400_000 * 10,
  },
  refund_failed: {
    bill: 'ABCDEFGHJK-9',
    total: 10_824,
    sku: 'unlimited',
    at: SAMPLE_TIME,
    brand: 'visa',
    last_four: '4242',
  },
  plan_ended: { sku: 'unlimited', at: SAMPLE_TIME, deleted_at: SAMPLE_TIME + 86_400_000 * 14 },
  bill: { bill: 'PL-2026-000042', kind: 'invoice', total: 10_824, sku: 'unlimited', at: SAMPLE_TIME, ...VISA_CARD },
  shared_camera: { camera: 'Front door', others: [], owner: 'maya@example.com', at: SAMPLE_TIME },
  camera_invitation: { camera: 'Front door', others: [], owner: 'maya@example.com', until: SAMPLE_TIME },
  new_sign_in: { ...SAMPLE_BROWSER, at: SAMPLE_TIME },
  password_forgotten: { ...SAMPLE_BROWSER, until: SAMPLE_TIME },
  confirm_sign_up: { until: SAMPLE_TIME },
  account_exists: { ...SAMPLE_BROWSER, at: SAMPLE_TIME },
  account_leaves: { until: SAMPLE_TIME, money: ['Unlimited ends at once. $108.24 is refunded.'] },
}
export const EMAIL_MESSAGE_KINDS = Object.keys(SAMPLE_FACTS) as NotificationKind[]
