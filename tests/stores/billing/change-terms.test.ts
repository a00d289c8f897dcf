import { describe, expect, test } from 'vitest'
import type { Subscription } from '../../../contract/billing/subscriptions.ts'
import { findPlanChange, findUndoCode } from '../../../provider/billing/pricing/plan-change.ts'
import { getChangeTerms } from '../../../src/stores/billing/price-quote.ts'
import { $checkout, type Checkout } from '../../../src/stores/billing/checkout.ts'
import { CAMERA_SUBSCRIPTION, createQuote } from '../../support/checkout.ts'

const createCheckout = (own: Subscription | null, form: object, price: Checkout['price']): Checkout => ({
  form: {
    segment: 'camera-ai',
    sku: 'cam-ai',
    period: 'monthly',
    quantity: 1,
    cameras: [],
    coupon: '',
    methodId: null,
    trial: false,
    ...form,
  },
  own,
  price,
  coupon: { state: 'none' },
  payment: { state: 'idle' },
})
function readTerms(checkout: Checkout) {
  $checkout.set(checkout)
  return getChangeTerms(checkout)
}
const ASKING = { state: 'asking', before: null } as const

describe('the terms of a change while its first price loads', () => {
  const scheduled = { sku: 'cam-ai', period: 'annual', quantity: 5 } as const
  const createOwn = (status: Subscription['status']): Subscription => ({
    ...CAMERA_SUBSCRIPTION,
    status,
    ...(status === 'active' && { scheduled }),
  })
  /** Returns the terms of the provider, or null if it allows no such change. */
  const findTerms = (own: Subscription, selection: Parameters<typeof findPlanChange>[1]) => {
    const isUndo = findUndoCode(own, selection) !== null
    const change = findPlanChange(own, selection)
    return change !== null || isUndo ? { is_undo: isUndo, is_later: change?.isLater ?? false } : null
  }
  const cases = (['active', 'cancelled', 'past_due', 'trial'] as const).flatMap((status) =>
    [
      { sku: 'cam-ai', period: 'annual', quantity: 3 } as const,
      { sku: 'cam-ai', period: 'monthly', quantity: 2 } as const,
      { sku: 'cam-ai', period: 'monthly', quantity: 3 } as const,
      { sku: 'unlimited', period: 'monthly', quantity: 1 } as const,
    ].map((selection) => [status, selection, findTerms(createOwn(status), selection)] as const),
  )

  test.each(cases.filter(([, , terms]) => terms !== null))(
    'are those of the provider for a plan that is %s: %j',
    (status, selection, terms) => {
      expect(readTerms(createCheckout(createOwn(status), selection, ASKING))).toEqual(terms)
    },
  )

  test('are unknown for a new subscription and without a period', () => {
    expect(readTerms(createCheckout(null, {}, ASKING))).toBeNull()
    expect(readTerms(createCheckout(CAMERA_SUBSCRIPTION, { period: '' }, { state: 'none' }))).toBeNull()
  })

  test('are then those of the quote', () => {
    const quote = createQuote({ is_later: true })
    const price = { state: 'ready', quote, changed: [] } as const
    expect(readTerms(createCheckout(CAMERA_SUBSCRIPTION, {}, price))).toBe(quote)
  })
})
