import { atom } from 'nanostores'
import type { PaymentMethod } from '../../../contract/billing/payment-methods-and-invoices.ts'
import {
  CARD_ELSEWHERE,
  CARD_RETURN_PATH,
  CARD_RETURNS,
  RETURN_PROOF,
} from '../../../contract/billing/payment-calls.ts'
import { finishPayment } from '../../api/card-page.ts'
import type { RequestFailure } from '../../api/result.ts'
import { methodName } from '../../domain/copy/payment-methods.ts'
import { failureText } from '../shell/failure-text.ts'
import { showFailure } from '../shell/report-failure.ts'
import { showToast } from '../shell/toasts.ts'
import { TAB_NOTES } from '../storage/billing-keys.ts'
import { tab, TAB_KEYS } from '../storage/storage-keys.ts'
import { $methodNote, $payment, loadPaymentMethods, makeDefault, removePayment } from './payment-methods.ts'
import { selectPayment } from './selected-payment-method.ts'

/**
 * Problem after the return from the card page that concerns none of the listed payment methods. `text` is a full
 * sentence.
 */
export const $returnProblem = atom<{ code: string; text: string } | null>(null)

/** Data about a return from the card page: its URL parameters, and the notes that this tab stored before it left. */
interface CardReturn {
  readonly code: string
  readonly proof: string | null
  readonly isOurs: boolean
  readonly replaces: string | null
}

function readReturn(): CardReturn | null {
  const { searchParams, hash } = new URL(location.href)
  const code = searchParams.get('payment')
  if (code === null) return null
  const proof = new URLSearchParams(hash.slice(1)).get(RETURN_PROOF)
  return { code, proof, isOurs: tab.read(TAB_NOTES.cardPage) !== null, replaces: tab.read(TAB_NOTES.replaces) }
}

/** Removes the return code from the URL and deletes its notes, so that a reload does not handle the return again. */
function endReturn(): void {
  const address = new URL(location.href)
  address.searchParams.delete('payment')
  history.replaceState(history.state, '', address.pathname + address.search)
  tab.remove(TAB_NOTES.cardPage)
  tab.remove(TAB_NOTES.replaces)
}

/** True if a later attempt may succeed: there was no response, or the failure does not concern the card. */
const isOpen = ({ status }: RequestFailure) => status === 0 || status === 401 || status === 429 || status >= 500

const TYPED_ELSEWHERE = 'This card was typed in another browser, so it was not stored.'

function notSaved(code: string): null {
  if (code !== CARD_RETURNS.closed) return problem(toFailure(code))
  showToast('warning', 'No card was saved.')
  return null
}

const toFailure = (code: string) => ({ ok: false, code, msg: '', kind: 'ERR_BAD_REQUEST', status: 400 }) as const

/**
 * Adds the card from the card page to the account, once. Ignores a code that this tab did not request, unless a proof
 * shows that the card was entered here. Returns the page that requested the card, or null to stay.
 */
export async function handleCardReturn(): Promise<string | null> {
  const back = readReturn()
  if (back === null) return null
  const { code, proof, isOurs, replaces } = back
  if (code !== CARD_RETURNS.saved) {
    endReturn()
    return isOurs ? notSaved(code) : null
  }
  const answer = await finishPayment(proof)
  if (answer.ok || !isOpen(answer)) endReturn()
  if (!answer.ok) return isOurs || proof !== null ? problem(answer) : null
  const { method, return_to } = answer.data
  selectPayment(method)
  const goesOn = new URL(return_to, location.origin).pathname !== CARD_RETURN_PATH
  if (goesOn) {
    tab.write(TAB_KEYS.nextToast, `success ${methodName(method)} was saved.`)
    return return_to
  }
  await settle(method, replaces)
  return null
}

function problem(failure: RequestFailure): null {
  if (failure.code === CARD_ELSEWHERE) {
    showToast('error', TYPED_ELSEWHERE)
    $returnProblem.set({ code: failure.code, text: TYPED_ELSEWHERE })
    return null
  }
  const { text, code } = showFailure('toast', failure)
  $returnProblem.set({ code, text: text || failureText(failure) })
  return null
}

async function settle(method: PaymentMethod, replaces: string | null): Promise<void> {
  await loadPaymentMethods()
  const old = $payment.get().methods.find(({ method_id }) => method_id === replaces)
  if (old && old.method_id !== method.method_id) {
    const failure = (method.is_default ? null : await makeDefault(method)) ?? (await removePayment(old))
    if (failure) return
  } else showToast('success', `${methodName(method)} was saved.`)
  $methodNote.set({ methodId: method.method_id, text: 'Saved just now.', isProblem: false })
}
