import { atom } from 'nanostores'
import {
  getBillingInfo,
  type PaymentMethod,
  type UpcomingCharge,
} from '../../../contract/billing/payment-methods-and-invoices.ts'
import { DEFAULT_REDEEM_SOURCE } from '../../../contract/billing/money.ts'
import { choosePaymentMethod, removeMethod } from '../../../contract/billing/payment-calls.ts'
import { request } from '../../api/api-client.ts'
import { startPayment } from '../../api/card-page.ts'
import { methodName } from '../../domain/copy/payment-methods.ts'
import { type Failure, withFailureShown, type Outcome } from '../shell/report-failure.ts'
import { showToast } from '../shell/toasts.ts'
import { TAB_HANDOVER_KEYS } from '../storage/billing-keys.ts'
import { safeSessionStorage } from '../storage/storage-keys.ts'
import { discardKeyIfFinal, getIdempotencyKey } from './idempotency-keys.ts'
import { $selectedPayment, selectPaymentMethod } from './selected-payment-method.ts'

/** Payment methods and upcoming charges (PAY-01). */
export interface PaymentMethodsState {
  readonly methods: readonly PaymentMethod[]
  readonly isLoaded: boolean
  readonly upcoming: readonly UpcomingCharge[]
  /** Account balance in cents. The next invoice uses it. */
  readonly balance: number
  readonly address: readonly string[]
  readonly failure: Failure | null
}

const NOT_LOADED_STATE: PaymentMethodsState = {
  methods: [],
  isLoaded: false,
  upcoming: [],
  balance: 0,
  address: [],
  failure: null,
}

export const $paymentMethods = atom<PaymentMethodsState>(NOT_LOADED_STATE)
/** Result of the last action on a payment method. The page shows it beside that method until the next action. */
export const $methodMessage = atom<{ methodId: string; text: string; isProblem: boolean } | null>(null)

const METHODS_FAILED_TEXT = 'We couldn’t load your payment methods. Nothing has changed on your account.'

/** Reloads the payment methods. The current list stays until the response arrives. */
export async function loadPaymentMethods(): Promise<void> {
  const params = { billing_provider: DEFAULT_REDEEM_SOURCE }
  const response = await withFailureShown(
    'place',
    request(getBillingInfo, { kind: 'payment_methods' }, { params }),
    METHODS_FAILED_TEXT,
  )
  if (!response.ok) return $paymentMethods.set({ ...$paymentMethods.get(), failure: response })
  if (response.data.kind !== 'payment_methods') return
  const { methods, upcoming, balance, address } = response.data
  $paymentMethods.set({ methods, upcoming, balance, address, isLoaded: true, failure: null })
}

type MethodChange = typeof choosePaymentMethod | typeof removeMethod

async function changeMethod(call: MethodChange, { method_id }: PaymentMethod): Promise<Failure | null> {
  const intentName = call.ledger
  const response = await withFailureShown(
    'toast',
    request(call, { method_id, intent: getIdempotencyKey(intentName, method_id) }),
  )
  discardKeyIfFinal(intentName, response)
  if (!response.ok) {
    $methodMessage.set({ methodId: method_id, text: response.text, isProblem: true })
    return response
  }
  $paymentMethods.set({ ...$paymentMethods.get(), methods: response.data.methods })
  void loadPaymentMethods()
  return null
}

/** Makes a method the default and selects it for the next purchase. */
export async function makeMethodDefault(method: PaymentMethod): Promise<Failure | null> {
  const failure = await changeMethod(choosePaymentMethod, method)
  if (failure) return failure
  selectPaymentMethod(method)
  $methodMessage.set(null)
  showToast('success', `${methodName(method)} is now your default payment method.`)
  return null
}

export async function removePaymentMethod(method: PaymentMethod): Promise<Failure | null> {
  const failure = await changeMethod(removeMethod, method)
  if (failure) return failure
  if ($selectedPayment.get()?.id === method.method_id) $selectedPayment.set(null)
  $methodMessage.set(null)
  showToast('success', `${methodName(method)} was removed.`)
  return null
}

interface CardPageOptions {
  /** Quote of the purchase that the card page shows. */
  readonly quote?: string | undefined
  /** Id of the subscription whose failed charge the card page shows. */
  readonly unpaidSubscriptionId?: string
  /** Method to remove once the new card is stored. */
  readonly replaces?: PaymentMethod
}

/** Returns the URL of the card page for a new card. */
export async function requestCardPage(
  returnTo: string,
  { quote, unpaidSubscriptionId, replaces }: CardPageOptions = {},
): Promise<Outcome<{ url: string }>> {
  const purpose = {
    ...(quote !== undefined && { quote }),
    ...(unpaidSubscriptionId !== undefined && { subscription_id: unpaidSubscriptionId }),
  }
  const response = await withFailureShown('toast', startPayment(returnTo, purpose))
  if (response.ok) safeSessionStorage.write(TAB_HANDOVER_KEYS.cardPage, returnTo)
  if (response.ok && replaces) safeSessionStorage.write(TAB_HANDOVER_KEYS.replaces, replaces.method_id)
  else safeSessionStorage.remove(TAB_HANDOVER_KEYS.replaces)
  return response
}

/** Navigates to the card page, which later returns to `returnTo`. Shows a failure as a toast. */
export async function navigateToCardPage(returnTo: string, options: CardPageOptions): Promise<Failure | null> {
  const response = await requestCardPage(returnTo, options)
  if (!response.ok) return response
  location.assign(response.data.url)
  return null
}
