import { atom } from 'nanostores'
import type { PaymentMethod } from '../../../contract/billing/payment-methods-and-invoices.ts'
import {
  CARD_ELSEWHERE_CODE,
  CARD_RETURN_PATH,
  CARD_RETURN_CODES,
  RETURN_PROOF_PARAMETER,
} from '../../../contract/billing/payment-calls.ts'
import { finishPayment } from '../../api/card-page.ts'
import type { RequestFailure } from '../../api/result.ts'
import { methodName } from '../../domain/copy/payment-methods.ts'
import { formatFailure } from '../shell/failure-text.ts'
import { showFailure } from '../shell/report-failure.ts'
import { showToast } from '../shell/toasts.ts'
import { TAB_HANDOVER_KEYS } from '../storage/billing-keys.ts'
import { safeSessionStorage, TAB_KEYS } from '../storage/storage-keys.ts'
import {
  $methodMessage,
  $paymentMethods,
  loadPaymentMethods,
  makeMethodDefault,
  removePaymentMethod,
} from './payment-methods.ts'
import { selectPaymentMethod } from './selected-payment-method.ts'
import { readUnpaidReturn, SERVICES_PATH } from './unpaid-charge.ts'

/**
 * Problem that occurred when the user returned from the card page. It belongs to no payment method in the list. `text`
 * is a full sentence.
 */
export const $returnProblem = atom<{ code: string; text: string } | null>(null)

/** Return from the card page: values from the URL, and values that this tab stored before it opened the card page. */
interface CardReturn {
  readonly code: string
  readonly proof: string | null
  /** Path that this tab returns to; null if this tab did not open the card page. */
  readonly returnPath: string | null
  readonly replaces: string | null
}

function readCardReturn(): CardReturn | null {
  const { searchParams, hash } = new URL(location.href)
  const code = searchParams.get('payment')
  if (code === null) return null
  const proof = new URLSearchParams(hash.slice(1)).get(RETURN_PROOF_PARAMETER)
  return {
    code,
    proof,
    returnPath: safeSessionStorage.read(TAB_HANDOVER_KEYS.cardPage),
    replaces: safeSessionStorage.read(TAB_HANDOVER_KEYS.replaces),
  }
}

/**
 * Removes the return code and the proof from the URL, and the stored values from the tab, so that a reload does not
 * handle the return again.
 */
function clearCardReturn(): void {
  const url = new URL(location.href)
  url.searchParams.delete('payment')
  history.replaceState(history.state, '', url.pathname + url.search)
  safeSessionStorage.remove(TAB_HANDOVER_KEYS.cardPage)
  safeSessionStorage.remove(TAB_HANDOVER_KEYS.replaces)
}

const canRetry = ({ status }: RequestFailure) => status === 0 || status === 401 || status === 429 || status >= 500

const CARD_ENTERED_ELSEWHERE_TEXT =
  'This card was entered in a different browser, so we didn’t save it. Add the card again in this browser.'

const NO_CARD_TEXT = 'No card was saved.'

/** Returns the path of the page that opened the card page; null to stay on the payment page. */
function showCardNotSaved(code: string, returnPath: string): string | null {
  if (code !== CARD_RETURN_CODES.closed) return showProblem(createFailure(code))
  const unpaidPath = readUnpaidReturn(returnPath) === null ? null : SERVICES_PATH
  if (unpaidPath === null) showToast('warning', NO_CARD_TEXT)
  else safeSessionStorage.write(TAB_KEYS.nextToast, `warning ${NO_CARD_TEXT}`)
  return unpaidPath
}

const createFailure = (code: string) => ({ ok: false, code, msg: '', kind: 'ERR_BAD_REQUEST', status: 400 }) as const

/**
 * Adds the saved card to the account and selects it for payment. Shows a problem only if this tab opened the card page,
 * or if a saved card cannot be added and the URL contains a proof. Returns the URL to navigate to; null to stay.
 */
export async function handleCardReturn(): Promise<string | null> {
  const cardReturn = readCardReturn()
  if (cardReturn === null) return null
  const { code, proof, returnPath, replaces } = cardReturn
  const isRequestedHere = returnPath !== null
  if (code !== CARD_RETURN_CODES.saved) {
    clearCardReturn()
    return isRequestedHere ? showCardNotSaved(code, returnPath) : null
  }
  const response = await finishPayment(proof)
  if (response.ok || !canRetry(response)) clearCardReturn()
  if (!response.ok) return isRequestedHere || proof !== null ? showProblem(response) : null
  const { method, return_to } = response.data
  selectPaymentMethod(method)
  const mustNavigate = new URL(return_to, location.origin).pathname !== CARD_RETURN_PATH
  if (mustNavigate) {
    // The card of the service says this itself if a failed charge is to be paid.
    if (readUnpaidReturn(return_to) === null)
      safeSessionStorage.write(TAB_KEYS.nextToast, `success ${methodName(method)} was saved.`)
    return return_to
  }
  await finishCardReturn(method, replaces)
  return null
}

function showProblem(failure: RequestFailure): null {
  if (failure.code === CARD_ELSEWHERE_CODE) {
    showToast('error', CARD_ENTERED_ELSEWHERE_TEXT)
    $returnProblem.set({ code: failure.code, text: CARD_ENTERED_ELSEWHERE_TEXT })
    return null
  }
  const { text, code } = showFailure('toast', failure)
  $returnProblem.set({ code, text: text || formatFailure(failure) })
  return null
}

async function finishCardReturn(method: PaymentMethod, replacedMethodId: string | null): Promise<void> {
  await loadPaymentMethods()
  const replacedMethod = $paymentMethods.get().methods.find(({ method_id }) => method_id === replacedMethodId)
  if (replacedMethod && replacedMethod.method_id !== method.method_id) {
    const failure =
      (method.is_default ? null : await makeMethodDefault(method)) ?? (await removePaymentMethod(replacedMethod))
    if (failure) return
  } else showToast('success', `${methodName(method)} was saved.`)
  $methodMessage.set({ methodId: method.method_id, text: 'Just added.', isProblem: false })
}
