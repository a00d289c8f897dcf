import { atom } from 'nanostores'
import { literal, nullable, number, object, optional, picklist, string, array, boolean, safeParse } from 'valibot'
import type { InferOutput } from 'valibot'
import { CURRENCY } from '../../../contract/billing/amounts.ts'
import { fieldProblem, PERIODS } from '../../../contract/billing/money.ts'
import { subscription } from '../../../contract/billing/subscriptions.ts'
import { quote, type Order, type Quote } from '../../../contract/billing/purchase.ts'
import { SKUS, type Sku } from '../../../contract/billing/skus.ts'
import { $userId } from '../session/session.ts'
import type { Failure } from '../shell/report-failure.ts'
import { PURCHASE_KEYS, TAB_HANDOVER_KEYS } from '../storage/billing-keys.ts'
import { safeSessionStorage } from '../storage/storage-keys.ts'

const checkoutFormSchema = object({
  /** URL segment of the page that sells the plan. */
  segment: string(),
  sku: picklist(SKUS),
  /** Billing period; '' until the user has chosen one. */
  period: picklist([...PERIODS, '']),
  quantity: number(),
  /** Ids of the cameras that get the new licenses, in this order. Remaining licenses stay unassigned. */
  cameras: array(string()),
  /** Coupon code that the price request sends; '' for none. */
  coupon: string(),
  methodId: nullable(string()),
  trial: boolean(),
})
export type CheckoutForm = InferOutput<typeof checkoutFormSchema>

/** Declined payment. Nothing was charged; choices and price stay. */
const declineSchema = object({
  state: literal('declined'),
  /** Code of the error catalog. */
  code: string(),
  text: string(),
  /** ms UTC */
  at: number(),
  cents: number(),
  currency: optional(string(), CURRENCY),
  methodId: nullable(string()),
  problems: array(fieldProblem),
})
export type PurchaseDecline = InferOutput<typeof declineSchema>

export type CheckoutPrice =
  /** There is no price, because the user has not made all the choices that determine it. */
  | { state: 'none' }
  /** The account already has exactly this plan, so there is nothing to buy. */
  | { state: 'same' }
  | { state: 'asking'; before: Quote | null }
  /**
   * `changed`: rows that differ from the previous quote (src/domain/copy/price-quote.ts); the user must confirm them
   * again.
   */
  | { state: 'ready'; quote: Quote; changed: readonly string[] }
  | { state: 'failed'; failure: Failure; before: Quote | null }

export type CheckoutCoupon =
  { state: 'none' | 'checking' | 'good' } | { state: 'refused'; tried: string; code: string; text: string }

export type CheckoutPayment =
  /** `waiting`: the button was pressed before the price had loaded. */
  | { state: 'idle' | 'waiting' | 'paying' }
  /**
   * The server completes the purchase even if the user leaves the page. `isLong`: polling has stopped until the next
   * press. `actionUrl`: the bank's confirmation page; null if none is needed.
   */
  | {
      state: 'task'
      begunAt: number
      step: 'asked' | 'authorised' | 'charged'
      isLong: boolean
      actionUrl: string | null
    }
  | PurchaseDecline
  /**
   * The purchase was stopped or rejected, and nothing was charged. If `why` is `unclear`, an earlier purchase may have
   * succeeded; the Services page shows its result.
   */
  | { state: 'refused'; why: 'exists' | 'stale' | 'price' | 'busy' | 'other' | 'unclear'; text: string }
  /**
   * The purchase failed; another press repeats the same purchase. `isSafe`: nothing was charged; if false, the result
   * is unknown.
   */
  | { state: 'failed'; text: string; isSafe: boolean }
  /**
   * A purchase that another page started is unresolved. It continues on that page. Until it is resolved, this tab
   * starts no other purchase.
   */
  | { state: 'elsewhere'; segment: string; sku: Sku }
  | { state: 'done'; order: Order }

export interface Checkout {
  readonly form: CheckoutForm
  /** Subscription that the purchase changes (update mode); null if the purchase creates a subscription. */
  readonly own: InferOutput<typeof subscription> | null
  readonly price: CheckoutPrice
  readonly coupon: CheckoutCoupon
  readonly payment: CheckoutPayment
}

export const $checkout = atom<Checkout | null>(null)

export function updateCheckout(change: Partial<Checkout>): void {
  const current = $checkout.get()
  if (current) $checkout.set({ ...current, ...change })
}

/** Purchase as stored in the tab. It survives a reload, a sign-in and the payment page. */
const storedCheckoutSchema = object({
  user: string(),
  form: checkoutFormSchema,
  own: nullable(subscription),
  quote: nullable(quote),
  /** Idempotency key of a purchase with this exact quote. */
  intent: string(),
  /** True if the purchase was sent and its result is not known yet. */
  isSent: boolean(),
  declined: nullable(declineSchema),
})
export type StoredCheckout = InferOutput<typeof storedCheckoutSchema>

function readStored<T extends { user: string }>(key: string, schema: Parameters<typeof safeParse>[0]): T | null {
  try {
    const parsed = safeParse(schema, JSON.parse(safeSessionStorage.read(key) ?? 'null'))
    const value = parsed.success ? (parsed.output as T) : null
    return value?.user === $userId.get() ? value : null
  } catch {
    return null
  }
}

export const readCheckout = (): StoredCheckout | null =>
  readStored<StoredCheckout>(PURCHASE_KEYS.checkout, storedCheckoutSchema)
export const storeCheckout = (value: Omit<StoredCheckout, 'user'>): void =>
  void safeSessionStorage.write(
    PURCHASE_KEYS.checkout,
    JSON.stringify({ user: $userId.get(), ...value } satisfies StoredCheckout),
  )
/** Returns true if the stored purchase was sent and its result is unknown. Nothing may replace such a purchase. */
export const isPurchaseUnresolved = (): boolean => readCheckout()?.isSent ?? false

/** Marks the result of the purchase as known. */
export function markPurchaseResolved(): void {
  const stored = readCheckout()
  if (stored) storeCheckout({ ...stored, isSent: false })
}

/** Returns true if the choices are locked, because a purchase is in progress, unresolved or done. */
export const isCheckoutLocked = ({ payment: { state } }: Checkout): boolean =>
  state === 'paying' || state === 'task' || state === 'elsewhere' || state === 'done' || isPurchaseUnresolved()

export const deleteCheckout = (): void => safeSessionStorage.remove(PURCHASE_KEYS.checkout)

/** Server task that the page polls for the result of the sent purchase. */
const storedTaskSchema = object({ user: string(), processId: string(), begunAt: number() })
type StoredTask = InferOutput<typeof storedTaskSchema>

export const readPurchaseTask = (): StoredTask | null => readStored<StoredTask>(PURCHASE_KEYS.task, storedTaskSchema)
export const storePurchaseTask = (value: Omit<StoredTask, 'user'>): void =>
  void safeSessionStorage.write(
    PURCHASE_KEYS.task,
    JSON.stringify({ user: $userId.get(), ...value } satisfies StoredTask),
  )
export const deletePurchaseTask = (): void => safeSessionStorage.remove(PURCHASE_KEYS.task)

/**
 * Stores the order for the confirmation page, with the state before the purchase: ids of the covered cameras, and the
 * retention period in days.
 */
export const storeConfirmation = (confirmation: { order: Order; before: { cameras: string[]; days: number } }): void =>
  void safeSessionStorage.write(TAB_HANDOVER_KEYS.bought, JSON.stringify(confirmation))
