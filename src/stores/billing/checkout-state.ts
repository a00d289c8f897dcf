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
import { PURCHASE_KEYS, TAB_NOTES } from '../storage/billing-keys.ts'
import { tab } from '../storage/storage-keys.ts'

/** What is chosen on the page of a plan. */
const form = object({
  /** Of the page that sells it. */
  segment: string(),
  sku: picklist(SKUS),
  /** '' until it is chosen. */
  period: picklist([...PERIODS, '']),
  quantity: number(),
  /** Cameras that the new licences cover first. */
  cameras: array(string()),
  /** The code that is applied, '' for none. */
  coupon: string(),
  methodId: nullable(string()),
  /** The free days are asked for. */
  trial: boolean(),
})
export type CheckoutForm = InferOutput<typeof form>

/** A payment that was refused. Nothing was charged; the choices and the price are kept. */
const declined = object({
  state: literal('declined'),
  /** Of the catalogue. */
  code: string(),
  text: string(),
  /** ms UTC */
  at: number(),
  cents: number(),
  currency: optional(string(), CURRENCY),
  methodId: nullable(string()),
  problems: array(fieldProblem),
})
export type Declined = InferOutput<typeof declined>

export type Price =
  /** Not all is chosen that a price needs. */
  | { state: 'none' }
  /** It is what the account has. */
  | { state: 'same' }
  | { state: 'asking'; before: Quote | null }
  /** `changed`: rows that are other than those that were shown before (src/domain/copy/price-quote.ts), to be confirmed anew. */
  | { state: 'ready'; quote: Quote; changed: readonly string[] }
  | { state: 'failed'; failure: Failure; before: Quote | null }

/** `refused`: the code that was tried, and why not. */
export type Coupon =
  { state: 'none' | 'checking' | 'good' } | { state: 'refused'; tried: string; code: string; text: string }

export type Payment =
  /** `waiting`: it was pressed before its price was there. */
  | { state: 'idle' | 'waiting' | 'paying' }
  /**
   * It runs on by itself and may be left. `isLong`: it is not asked about any more, a press asks again. `actionUrl`: the page on
   * which the bank asks the buyer; null: it asks nothing.
   */
  | {
      state: 'task'
      begunAt: number
      step: 'asked' | 'authorised' | 'charged'
      isLong: boolean
      actionUrl: string | null
    }
  | Declined
  /**
   * The plan is there already, or has changed meanwhile; the price changed; another purchase runs. Nothing was charged, save
   * where it is `unclear`: the services say what there is.
   */
  | { state: 'refused'; why: 'exists' | 'stale' | 'price' | 'busy' | 'other' | 'unclear'; text: string }
  /** Pressed again it asks for the same purchase. `isSafe`: nothing was charged; else it is not known what became of it. */
  | { state: 'failed'; text: string; isSafe: boolean }
  /** A purchase of another page is open: it goes on there, and nothing else is sold in this tab until then. */
  | { state: 'elsewhere'; segment: string; sku: Sku }
  | { state: 'done'; order: Order }

export interface Checkout {
  readonly form: CheckoutForm
  /** The subscription that is changed (update mode), null where the plan is bought anew. */
  readonly own: InferOutput<typeof subscription> | null
  readonly price: Price
  readonly coupon: Coupon
  readonly payment: Payment
}

/** The purchase of this tab; null before a page has opened one. */
export const $checkout = atom<Checkout | null>(null)

/** Changes parts of what is there. */
export function update(change: Partial<Checkout>): void {
  const now = $checkout.get()
  if (now) $checkout.set({ ...now, ...change })
}

/** What a tab keeps of a purchase, so that a reload, a sign-in or the page of payment goes on with it. */
const storedCheckout = object({
  user: string(),
  form,
  own: nullable(subscription),
  quote: nullable(quote),
  /** Names the intent to buy by this very quote. */
  intent: string(),
  /** It is open: it was sent, and what became of it is not known yet. */
  isSent: boolean(),
  declined: nullable(declined),
})
export type StoredCheckout = InferOutput<typeof storedCheckout>

/** What is kept under the key; null where it is of another user. */
function readKept<T extends { user: string }>(key: string, schema: Parameters<typeof safeParse>[0]): T | null {
  try {
    const parsed = safeParse(schema, JSON.parse(tab.read(key) ?? 'null'))
    const value = parsed.success ? (parsed.output as T) : null
    return value?.user === $userId.get() ? value : null
  } catch {
    return null
  }
}

export const readCheckout = (): StoredCheckout | null =>
  readKept<StoredCheckout>(PURCHASE_KEYS.checkout, storedCheckout)
export const storeCheckout = (value: Omit<StoredCheckout, 'user'>): void =>
  void tab.write(PURCHASE_KEYS.checkout, JSON.stringify({ user: $userId.get(), ...value } satisfies StoredCheckout))
/** Whether what is kept may have been bought: nothing takes its place until that is known. */
export const isOpen = (): boolean => readCheckout()?.isSent ?? false

/** What became of it is known. */
export function closeIntent(): void {
  const now = readCheckout()
  if (now) storeCheckout({ ...now, isSent: false })
}

/** Whether nothing can be chosen now. */
export const isHeld = ({ payment: { state } }: Checkout): boolean =>
  state === 'paying' || state === 'task' || state === 'elsewhere' || state === 'done' || isOpen()

export const deleteCheckout = (): void => tab.remove(PURCHASE_KEYS.checkout)

/** What became of the open intent is asked by this process. */
const task = object({ user: string(), processId: string(), begunAt: number() })
type Task = InferOutput<typeof task>

export const readTask = (): Task | null => readKept<Task>(PURCHASE_KEYS.task, task)
export const storeTask = (value: Omit<Task, 'user'>): void =>
  void tab.write(PURCHASE_KEYS.task, JSON.stringify({ user: $userId.get(), ...value } satisfies Task))
export const deleteTask = (): void => tab.remove(PURCHASE_KEYS.task)

/** For the page after the purchase: what was bought, and what was true before it. `cameras`: ids of those that were covered. */
export const storeConfirmation = (note: { order: Order; before: { cameras: string[]; days: number } }): void =>
  void tab.write(TAB_NOTES.bought, JSON.stringify(note))
