import { catalogueEntry } from '../../../contract/error-codes.ts'
import { showToast } from './toasts.ts'

/** Shows the catalogue's text of a body code, else of the HTTP status, if it has one (ERROR-01, OPEN-108). */
export function toastFailure(code: string, status: number): void {
  const entry = catalogueEntry(code) ?? catalogueEntry(status)
  if (entry) showToast(entry.style, entry.text)
}
