import { BRAND_NAME } from '../../../contract/brand.ts'
import { catalogueEntry } from '../../../contract/error-codes.ts'
import type { RequestFailure } from '../../api/result.ts'

const NOTHING_KNOWN = 'That did not work. Try again in a moment.'

/** One sentence for a failure that is shown in its own place: the catalogue's, where it has one (ERROR-01). */
export function failureText({ code, status }: RequestFailure, isOnline = navigator.onLine): string {
  if (!isOnline) return 'You are offline. Try again when you are connected.'
  if (status === 0) return `${BRAND_NAME} does not answer. Try again in a moment.`
  return (catalogueEntry(code) ?? catalogueEntry(status))?.text ?? NOTHING_KNOWN
}
