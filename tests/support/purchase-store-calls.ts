import type { Subscription } from '../../contract/billing/subscriptions.ts'
import type { Quote } from '../../contract/billing/purchase.ts'
import { loadAutoAssign } from '../../src/stores/billing/license-manager.ts'
import { $catalog, loadCatalog, setT3ListMembership } from '../../src/stores/billing/plan-catalog.ts'
import {
  $checkout,
  storeCheckout,
  storePurchaseTask,
  type CheckoutForm,
} from '../../src/stores/billing/checkout-state.ts'
import { submitPurchase } from '../../src/stores/billing/submit-purchase.ts'
import { loadQuote } from '../../src/stores/billing/price-quote.ts'
import { stopPollingPurchaseTask, resumePurchaseTask } from '../../src/stores/billing/purchase-task.ts'
import { $planSimulation, loadPlanSimulation } from '../../src/stores/billing/plan-simulation.ts'
import type { PanelCall, StoreCall } from './store-call.ts'

const CHECKOUT_FORM: CheckoutForm = {
  segment: 'unlimited',
  sku: 'unlimited',
  period: 'monthly',
  quantity: 1,
  cameras: [],
  coupon: '',
  methodId: 'm1',
  trial: false,
}
const CURRENT_SUBSCRIPTION: Subscription = {
  subscription_id: 's1',
  sku: 'cam-ai',
  status: 'active',
  quantity: 3,
  period: 'monthly',
  revision: 4,
  billing_provider: 'card',
  renews_at: 1,
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
const QUOTE: Quote = {
  quote: 'sealed',
  mode: 'checkout',
  change: 2,
  sku: 'unlimited',
  period: 'monthly',
  quantity: 1,
  currency: 'USD',
  tax_basis_points: 825,
  as_of: 1,
  expires_at: 8e15,
  starts_at: 1,
  is_later: false,
  is_trial: false,
  lines: [],
  subtotal: 999,
  tax: 82,
  total: 1081,
  balance_used: 0,
  balance_added: 0,
  due: 1081,
  next: null,
}

/** Fills the checkout with a plan whose price is loaded. `own`: subscription that the purchase changes. */
export function preparePurchase(own: Subscription | null = null): void {
  const quote = own ? { ...QUOTE, change: 51 as const } : QUOTE
  $checkout.set({
    form: CHECKOUT_FORM,
    own,
    price: { state: 'ready', quote, changed: [] },
    coupon: { state: 'none' },
    payment: { state: 'idle' },
  })
  storeCheckout({ form: CHECKOUT_FORM, own, quote, intent: crypto.randomUUID(), isSent: false, declined: null })
}
export const preparePlanChange = (): void => preparePurchase(CURRENT_SUBSCRIPTION)

export function pollPurchaseTask(): Promise<void> {
  storePurchaseTask({ processId: 'p1', begunAt: 1 })
  void resumePurchaseTask()
  stopPollingPurchaseTask()
  return Promise.resolve()
}

const readFailureText = (current: { state: string; failure?: unknown }) =>
  current.state === 'failed' && (current.failure as { text: string }).text

export const PURCHASE_ACTIONS: readonly StoreCall[] = [
  { description: 'buys a plan', requirement: 'CALL-13', ask: () => (preparePurchase(), submitPurchase()) },
  { description: 'joins the waiting list for Pro', requirement: 'EXT-t3-list', ask: () => setT3ListMembership(true) },
  { description: 'changes a plan', requirement: 'CALL-14', ask: () => (preparePlanChange(), submitPurchase()) },
]

export const PURCHASE_PANELS: readonly PanelCall[] = [
  {
    description: 'the price of a plan',
    requirement: 'CALL-12',
    ask: () => (preparePurchase(), loadQuote()),
    readFailure: () => readFailureText($checkout.get()?.price ?? { state: '' }),
  },
  {
    description: 'the plan catalog',
    requirement: 'CALL-11',
    ask: loadCatalog,
    readFailure: () => readFailureText($catalog.get()),
  },
  {
    description: 'the plan simulation',
    requirement: 'EXT-plan-truth',
    ask: loadPlanSimulation,
    readFailure: () => readFailureText($planSimulation.get()),
  },
]

export const SILENT_PURCHASE_CALLS: readonly StoreCall[] = [
  { description: 'a pending purchase', requirement: 'CALL-10', ask: pollPurchaseTask },
  { description: 'the automatic license assignment setting', requirement: 'EXT-auto-cover', ask: loadAutoAssign },
]
