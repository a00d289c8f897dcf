import { BRAND_NAME } from '../../../contract/brand.ts'
import { type CatalogEntry, findCatalogEntry } from '../../../contract/wire/error-codes.ts'
import type { RequestFailure } from '../../api/result.ts'

const OFFLINE = 'You are offline. Try again when you are connected.'
const NOTHING_KNOWN = 'That did not work. Try again in a moment.'

/** What the catalogue says of a failure: of its body code, else of its HTTP status (OPEN-108). */
export function findFailureEntry({ code, status }: RequestFailure): CatalogEntry | undefined {
  return findCatalogEntry(code) ?? findCatalogEntry(status)
}

/**
 * One sentence for a failure: the catalogue's where it has one (OPEN-133), else that this device is offline, else `own`, the
 * words of whoever asked, else that nothing more is known.
 */
export function failureText(failure: RequestFailure, own = '', isOnline = navigator.onLine): string {
  const entry = findFailureEntry(failure)
  if (entry) return entry.text
  if (!isOnline) return OFFLINE
  if (own !== '') return own
  return failure.status === 0 ? `${BRAND_NAME} does not answer. Try again in a moment.` : NOTHING_KNOWN
}
