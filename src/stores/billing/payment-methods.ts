import { atom } from 'nanostores'
import {
  billingInfo,
  type PaymentMethod,
  type Upcoming,
} from '../../../contract/billing/payment-methods-and-invoices.ts'
import { DEFAULT_REDEEM_SOURCE } from '../../../contract/billing/money.ts'
import { chooseMethod, removeMethod } from '../../../contract/billing/payment-calls.ts'
import { request } from '../../api/api-client.ts'
import { startPayment } from '../../api/card-page.ts'
import { methodName } from '../../domain/copy/payment-methods.ts'
import { type Failure, withFailureShown, type Outcome } from '../shell/report-failure.ts'
import { showToast } from '../shell/toasts.ts'
import { TAB_NOTES } from '../storage/billing-keys.ts'
import { tab } from '../storage/storage-keys.ts'
import { endIntent, intentFor } from './idempotency-keys.ts'
import { $selectedPayment, selectPayment } from './selected-payment-method.ts'

/** Payment methods and upcoming charges (PAY-01). */
export interface PaymentMethodsState {
  readonly methods: readonly PaymentMethod[]
  /** True once the list has come from the server. */
  readonly isLoaded: boolean
  readonly upcoming: readonly Upcoming[]
  /** Balance of the account in cents; the next invoice uses it. */
  readonly balance: number
  readonly address: readonly string[]
  readonly failure: Failure | null
}

const NOTHING: PaymentMethodsState = {
  methods: [],
  isLoaded: false,
  upcoming: [],
  balance: 0,
  address: [],
  failure: null,
}

export const $payment = atom<PaymentMethodsState>(NOTHING)
/** Result of the last action on a payment method, displayed beside that method until the next action. */
export const $methodNote = atom<{ methodId: string; text: string; isProblem: boolean } | null>(null)

const NOT_KNOWN = 'Your payment methods could not be loaded. Nothing has changed on your account.'

/** Reloads the list; the current one stays until the response. */
export async function loadPaymentMethods(): Promise<void> {
  const params = { billing_provider: DEFAULT_REDEEM_SOURCE }
  const answer = await withFailureShown(
    'place',
    request(billingInfo, { kind: 'payment_methods' }, { params }),
    NOT_KNOWN,
  )
  if (!answer.ok) return $payment.set({ ...$payment.get(), failure: answer })
  if (answer.data.kind !== 'payment_methods') return
  const { methods, upcoming, balance, address } = answer.data
  $payment.set({ methods, upcoming, balance, address, isLoaded: true, failure: null })
}

type Change = typeof chooseMethod | typeof removeMethod

/** Changes a payment method. If the response is not final, a retry uses the same idempotency key. */
async function change(call: Change, { method_id }: PaymentMethod): Promise<Failure | null> {
  const intentName = call.ledger
  const answer = await withFailureShown('toast', request(call, { method_id, intent: intentFor(intentName, method_id) }))
  endIntent(intentName, answer)
  if (!answer.ok) {
    $methodNote.set({ methodId: method_id, text: answer.text, isProblem: true })
    return answer
  }
  $payment.set({ ...$payment.get(), methods: answer.data.methods })
  void loadPaymentMethods()
  return null
}

/** Makes a method the default and selects it for the next purchase. */
export async function makeDefault(method: PaymentMethod): Promise<Failure | null> {
  const failure = await change(chooseMethod, method)
  if (failure) return failure
  selectPayment(method)
  $methodNote.set(null)
  showToast('success', `${methodName(method)} pays from now on.`)
  return null
}

export async function removePayment(method: PaymentMethod): Promise<Failure | null> {
  const failure = await change(removeMethod, method)
  if (failure) return failure
  if ($selectedPayment.get()?.id === method.method_id) $selectedPayment.set(null)
  $methodNote.set(null)
  showToast('success', `${methodName(method)} was removed.`)
  return null
}

/** Returns the URL of the card page for a new card. `replaces`: method to remove once the new card is stored. */
export async function openCardPage(
  returnTo: string,
  { quote, replaces }: { quote?: string | undefined; replaces?: PaymentMethod } = {},
): Promise<Outcome<{ url: string }>> {
  const answer = await withFailureShown('toast', startPayment(returnTo, quote))
  if (answer.ok) tab.write(TAB_NOTES.cardPage, 'open')
  if (answer.ok && replaces) tab.write(TAB_NOTES.replaces, replaces.method_id)
  else tab.remove(TAB_NOTES.replaces)
  return answer
}
