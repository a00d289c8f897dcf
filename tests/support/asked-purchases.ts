import type { Subscription } from '../../contract/billing/subscriptions.ts'
import type { Quote } from '../../contract/billing/purchase.ts'
import { loadAutoCover } from '../../src/stores/billing/license-manager.ts'
import { $catalog, loadCatalog, setJoinT3List } from '../../src/stores/billing/plan-catalog.ts'
import { $checkout, storeCheckout, storeTask, type CheckoutForm } from '../../src/stores/billing/checkout-state.ts'
import { pay } from '../../src/stores/billing/submit-purchase.ts'
import { loadQuote } from '../../src/stores/billing/price-quote.ts'
import { leaveTask, resumeTask } from '../../src/stores/billing/purchase-task.ts'
import { $truth, loadTruth } from '../../src/stores/billing/plan-simulation.ts'
import type { PanelCall, StoreCall } from './store-call.ts'

const FORM: CheckoutForm = {
  ...{ segment: 'unlimited', sku: 'unlimited', period: 'monthly', quantity: 1 },
  ...{ cameras: [], coupon: '', methodId: 'm1', trial: false },
}
const OWN: Subscription = {
  ...{ subscription_id: 's1', sku: 'cam-ai', status: 'active', quantity: 3, period: 'monthly', revision: 4 },
  ...{
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
  },
}
const QUOTE: Quote = {
  ...{
    quote: 'sealed',
    mode: 'checkout',
    change: 2,
    sku: 'unlimited',
    period: 'monthly',
    quantity: 1,
    currency: 'USD',
  },
  ...{ tax_basis_points: 825, as_of: 1, expires_at: 8e15, starts_at: 1, is_later: false, is_trial: false, lines: [] },
  ...{ subtotal: 999, tax: 82, total: 1081, balance_used: 0, balance_added: 0, due: 1081, next: null },
}

/** Chooses a plan whose price is loaded; `own`: the subscription that it changes. */
export function choosePlan(own: Subscription | null = null): void {
  const quote = own ? { ...QUOTE, change: 51 as const } : QUOTE
  $checkout.set({
    ...{ form: FORM, own, price: { state: 'ready', quote, changed: [] } },
    ...{ coupon: { state: 'none' }, payment: { state: 'idle' } },
  })
  storeCheckout({ form: FORM, own, quote, intent: crypto.randomUUID(), isSent: false, declined: null })
}
export const changePlan = (): void => choosePlan(OWN)

export function pollTask(): Promise<void> {
  storeTask({ processId: 'p1', begunAt: 1 })
  void resumeTask()
  leaveTask()
  return Promise.resolve()
}

const failed = (current: { state: string; failure?: unknown }) =>
  current.state === 'failed' && (current.failure as { text: string }).text

export const PURCHASES: readonly StoreCall[] = [
  { what: 'buys a plan', ledger: 'CALL-13', ask: () => (choosePlan(), pay()) },
  { what: 'joins the list for Pro', ledger: 'EXT-t3-list', ask: () => setJoinT3List(true) },
  { what: 'changes a plan', ledger: 'CALL-14', ask: () => (changePlan(), pay()) },
]

export const PURCHASE_PANELS: readonly PanelCall[] = [
  {
    what: 'the price of a plan',
    ledger: 'CALL-12',
    ask: () => (choosePlan(), loadQuote()),
    place: () => failed($checkout.get()?.price ?? { state: '' }),
  },
  { what: 'what is sold', ledger: 'CALL-11', ask: loadCatalog, place: () => failed($catalog.get()) },
  { what: 'what plans would have kept', ledger: 'EXT-plan-truth', ask: loadTruth, place: () => failed($truth.get()) },
]

export const SILENT_PURCHASES: readonly StoreCall[] = [
  { what: 'a purchase that runs on', ledger: 'CALL-10', ask: pollTask },
  { what: 'whether new cameras are covered', ledger: 'EXT-auto-cover', ask: loadAutoCover },
]
