import { getPlan, PLANS } from '../../contract/billing/plan-catalog.ts'
import { PERIODS, QUANTITY_MAX, type Period } from '../../contract/billing/money.ts'
import type { previewPurchase } from '../../contract/billing/purchase.ts'
import type { Sku } from '../../contract/billing/skus.ts'
import type { RequestOf } from '../../contract/wire/call.ts'

/** Plan that a page sells. */
export interface PlanOption {
  readonly sku: Sku
  /** Tier; '' if the plan is not a camera plan or is free. */
  readonly level: 1 | 2 | 3 | ''
  readonly isPerCamera: boolean
}

/** Returns the plans that a page sells; `pro` is an option of `unlimited` with longer retention. */
export const listPlanOptions = (segment: string): PlanOption[] =>
  PLANS.flatMap(({ sku, segment: own }) =>
    own === segment ? (sku === 'unlimited' ? [sku, 'pro' as const] : [sku]) : [],
  ).map((sku) => {
    const { per, tier } = getPlan(sku)
    return { sku, level: tier === null || tier === 0 ? '' : tier, isPerCamera: per === 'camera' }
  })

export const SELECTION_LIMITS = { periods: PERIODS, quantityMax: QUANTITY_MAX } as const

/** URL and stored data from which a plan page computes its first choices. */
export interface SelectionSource {
  readonly search: string
  /** Entry of the card cart. */
  readonly card: { readonly sku: string; readonly mode: Period | '' }
  /** Quantities of the plan cart. */
  readonly quantities: { readonly an_quantity: number; readonly mo_quantity: number }
  /** Subscription that the purchase changes; null if the purchase creates a subscription. */
  readonly own: { readonly sku: Sku; readonly quantity: number } | null
}

interface PlanSelection {
  readonly sku: Sku
  /** '' if neither the URL nor the cart names a period. */
  readonly period: Period | ''
  readonly quantity: number
}

/**
 * Returns the first choices of a plan page: from the URL, otherwise from the carts. Plan pages contain this function as
 * text, so it may use only its arguments and browser APIs.
 */
export function selectPlan(
  { search, card, quantities, own }: SelectionSource,
  options: readonly PlanOption[],
  { periods, quantityMax }: typeof SELECTION_LIMITS,
): PlanSelection {
  const query = new URLSearchParams(search)
  const requestedPeriod = periods.find((period) => period === query.get('period'))
  const isCartPlanSold = options.some(({ sku }) => sku === card.sku)
  const findOption = (name: string | null | undefined) => options.find(({ sku }) => sku === name)
  // A link that names a period names a plan: the one that the page is for, unless it names another one.
  const option =
    findOption(query.get('plan')) ??
    (requestedPeriod ? options[0] : undefined) ??
    findOption(card.sku) ??
    findOption(own?.sku) ??
    options[0]
  const sku = option?.sku ?? 'free'
  const period = requestedPeriod ?? (isCartPlanSold ? card.mode : '')
  const count = Number(query.get('cameras') ?? NaN)
  const requestedCount = Number.isInteger(count) && count >= 1 && count <= quantityMax ? count : null
  const cartCount = Math.max(1, period === 'annual' ? quantities.an_quantity : quantities.mo_quantity)
  const ownCount = own?.sku === sku ? own.quantity : 1
  const quantity = option?.isPerCamera ? (requestedCount ?? (isCartPlanSold ? cartCount : ownCount)) : 1
  return { sku, period, quantity }
}

/** Choices that determine the price of a plan. */
export interface QuoteSubject extends Pick<RequestOf<typeof previewPurchase>, 'sku' | 'level' | 'mode'> {
  /** 0: the quantity of the account's own subscription, which the page does not know. */
  readonly quantity: number
  /** Coupon code; '' for none. */
  readonly coupon: string
  readonly trial: boolean
  /** Subscription that the purchase changes; `unknown` until the subscriptions have loaded. */
  readonly own: { readonly subscription_id: string; readonly revision: number } | 'unknown' | null
}

/** Returns the body of the price request. The document and the store use it, so that their requests are equal. */
export const quoteInput = ({
  sku,
  level,
  mode,
  quantity,
  coupon,
  trial,
  own,
}: QuoteSubject): RequestOf<typeof previewPurchase> => ({
  sku,
  level,
  mode,
  ...(quantity && { quantity }),
  ...(coupon !== '' && { coupon }),
  ...(trial && { trial }),
  ...(own === 'unknown'
    ? { changes_own: true }
    : own && { subscription_id: own.subscription_id, revision: own.revision }),
})
