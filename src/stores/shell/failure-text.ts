import { BRAND_NAME } from '../../../contract/brand.ts'
import { type CatalogEntry, findCatalogEntry } from '../../../contract/wire/error-codes.ts'
import type { RequestFailure } from '../../api/result.ts'

const OFFLINE_TEXT = 'You’re offline. Try again when you’re back online.'
const GENERIC_FAILURE_TEXT = 'That didn’t work. Try again in a moment.'

/** Returns the catalog entry of a failure, by its code, otherwise by its HTTP status (OPEN-108). */
export function findFailureEntry({ code, status }: RequestFailure): CatalogEntry | undefined {
  return findCatalogEntry(code) ?? findCatalogEntry(status)
}

/**
 * Returns one sentence for a failure: the catalog's text (OPEN-133), otherwise the offline text, otherwise
 * `fallbackText`, otherwise a generic text.
 */
export function formatFailure(failure: RequestFailure, fallbackText = '', isOnline = navigator.onLine): string {
  const entry = findFailureEntry(failure)
  if (entry) return entry.text
  if (!isOnline) return OFFLINE_TEXT
  if (fallbackText !== '') return fallbackText
  return failure.status === 0 ? `${BRAND_NAME} isn’t responding. Try again in a moment.` : GENERIC_FAILURE_TEXT
}
