import { BRAND_NAME } from '../../../contract/brand.ts'
import { type CatalogEntry, findCatalogEntry } from '../../../contract/wire/error-codes.ts'
import type { RequestFailure } from '../../api/result.ts'

const OFFLINE = 'You are offline. Try again when you are connected.'
const NOTHING_KNOWN = 'That did not work. Try again in a moment.'

/** Returns the catalog entry of a failure: by body code, otherwise by HTTP status (OPEN-108). */
export function findFailureEntry({ code, status }: RequestFailure): CatalogEntry | undefined {
  return findCatalogEntry(code) ?? findCatalogEntry(status)
}

/**
 * Returns one sentence for a failure: the catalog's (OPEN-133), otherwise that the device is offline, otherwise the
 * caller's `own` text, otherwise a generic one.
 */
export function failureText(failure: RequestFailure, own = '', isOnline = navigator.onLine): string {
  const entry = findFailureEntry(failure)
  if (entry) return entry.text
  if (!isOnline) return OFFLINE
  if (own !== '') return own
  return failure.status === 0 ? `${BRAND_NAME} does not answer. Try again in a moment.` : NOTHING_KNOWN
}
