import type { Subscription } from '../../contract/billing/subscriptions.ts'
import type { Order, Quote } from '../../contract/billing/purchase.ts'
import { BLANK_CARD_CART } from '../../src/domain/billing/purchase-cart.ts'
import { BLANK_PLAN_CART } from '../../src/domain/billing/plan-cart.ts'
import { $subscriptions, reloadSubscriptions } from '../../src/stores/billing/subscriptions.ts'
import { $cardCart, $planCart } from '../../src/stores/billing/carts.ts'
import { $checkout, openCheckout } from '../../src/stores/billing/checkout.ts'
import { $userId } from '../../src/stores/session/session.ts'
import { $toast, closeToast } from '../../src/stores/shell/toasts.ts'
import { stubApiResponses, type SentRequest } from './client.ts'

const now = Date.now()
/** Returns a quote for Unlimited that is valid for ten minutes. */
export const createQuote = (change: Partial<Quote> = {}): Quote => ({
  quote: 'sealed',
  mode: 'checkout',
  change: 2,
  sku: 'unlimited',
  period: 'monthly',
  quantity: 1,
  currency: 'USD',
  tax_basis_points: 825,
  as_of: now,
  expires_at: now + 600_000,
  starts_at: now,
  is_later: false,
  is_trial: false,
  lines: [
    {
      kind: 'plan',
      sku: 'unlimited',
      period: 'monthly',
      quantity: 1,
      unit: 999,
      amount: 999,
      tax: 82,
      from: now,
      to: now + 1,
    },
  ],
  subtotal: 999,
  tax: 82,
  total: 1081,
  balance_used: 0,
  balance_added: 0,
  due: 1081,
  next: null,
  ...change,
})
export const TEST_ORDER: Order = {
  order_id: 'o1',
  subscription_id: 's1',
  bill: 'PL-1',
  paid: 1081,
  method: null,
  at: now,
  sku: 'unlimited',
  period: 'monthly',
  quantity: 1,
  starts_at: now,
  is_later: false,
  is_trial: false,
  next: null,
}
export const CAMERA_SUBSCRIPTION: Subscription = {
  subscription_id: 's1',
  sku: 'cam-ai',
  status: 'active',
  quantity: 3,
  period: 'monthly',
  revision: 4,
  billing_provider: 'card',
  renews_at: now + 1,
  running: true,
  channel: 'web',
  since: 0,
  scheduled: null,
  next: null,
  paused_until: null,
  leaving: null,
  open: null,
  clock: 0,
}
export const okResponse = (data: object) => ({ code: 200, data })
export const COMPLETED_PURCHASE = okResponse({ state: 'done', order: TEST_ORDER })
export const getCheckout = () => $checkout.get()!

/**
 * Simulates a new tab of `user_1` with empty carts. Replaces the content of `answers` with default responses, keyed by
 * the last path segment. Returns the list of sent requests.
 */
export function openNewTab(answers: Record<string, unknown>): SentRequest[] {
  for (const key of Object.keys(answers)) delete answers[key]
  answers['preview_purchase'] = okResponse(createQuote())
  answers['user_1'] = okResponse({ subscriptions: [] })
  sessionStorage.clear()
  $userId.set('user_1')
  $planCart.set(BLANK_PLAN_CART)
  $cardCart.set(BLANK_CARD_CART)
  $checkout.set(null)
  $subscriptions.set({ state: 'loading' })
  while ($toast.get()) closeToast()
  return stubApiResponses(answers)
}

/** Simulates a page load in the same tab: the checkout in memory is lost, session storage stays. */
export async function reloadCheckout(segment: string, search = ''): Promise<void> {
  $checkout.set(null)
  await reloadSubscriptions()
  await openCheckout(segment, search)
}
