import { atom } from 'nanostores'
import type { PaymentMethod } from '../../../contract/billing.ts'
import { CARD_RETURN_PATH, CARD_RETURNS } from '../../../contract/payment.ts'
import { finishPayment } from '../../api/payment.ts'
import { methodName } from '../../domain/payment-words.ts'
import { failureText } from '../shell/failure-text.ts'
import { tell } from '../shell/failures.ts'
import { showToast } from '../shell/toasts.ts'
import { TAB_NOTES } from '../storage/purchase-keys.ts'
import { tab, TAB_KEYS } from '../storage/storage.ts'
import { $methodNote, $payment, loadPaymentMethods, makeDefault, removePayment } from './payment-methods.ts'
import { selectPayment } from './selected-payment.ts'

/** What the card page's return said that no method of the list stands for: its whole sentence. */
export const $returnProblem = atom<{ code: string; text: string } | null>(null)

/** Takes the code out of the address, so that a reload does not take it for a second return. */
function takeCode(): string | null {
  const address = new URL(location.href)
  const code = address.searchParams.get('payment')
  if (code === null) return null
  address.searchParams.delete('payment')
  history.replaceState(history.state, '', address.pathname + address.search + address.hash)
  return code
}

/** A note of this tab, read once. */
function take(note: string): string | null {
  const value = tab.read(note)
  tab.remove(note)
  return value
}

function notSaved(code: string): null {
  if (code !== CARD_RETURNS.closed) return problem(failureOf(code))
  showToast('warning', 'No card was saved.')
  return null
}

const failureOf = (code: string) => ({ ok: false, code, msg: '', kind: 'ERR_BAD_REQUEST', status: 400 }) as const

/**
 * On the payment page after the card page: takes what was typed into the account, once, and says what became of it. A code
 * that somebody else has put into the address is no return of this tab, and nothing is said of it; whether a card was saved
 * the edge knows. Answers where to go next: the page that asked for the card, or null to stay.
 */
export async function takeCardReturn(): Promise<string | null> {
  const code = takeCode()
  if (code === null) return null
  const isOurs = take(TAB_NOTES.cardPage) !== null
  const replaces = take(TAB_NOTES.replaces)
  if (code !== CARD_RETURNS.saved) return isOurs ? notSaved(code) : null
  const answer = await finishPayment()
  if (!answer.ok) return isOurs ? problem(answer) : null
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

function problem(failure: Parameters<typeof tell>[1]): null {
  const { text, code } = tell('toast', failure)
  $returnProblem.set({ code, text: text || failureText(failure) })
  return null
}

async function settle(method: PaymentMethod, replaces: string | null): Promise<void> {
  await loadPaymentMethods()
  const old = $payment.get().methods.find(({ method_id }) => method_id === replaces)
  if (old && old.method_id !== method.method_id) {
    const refused = (method.is_default ? null : await makeDefault(method)) ?? (await removePayment(old))
    if (refused) return
  } else showToast('success', `${methodName(method)} was saved.`)
  $methodNote.set({ methodId: method.method_id, text: 'Saved just now.', isProblem: false })
}
