import { DEFAULT_CURRENCY } from '../../../contract/constants.ts'
import { keptText } from '../storage/persistent.ts'
import { KEYS } from '../storage/storage.ts'

/** Code of the currency in use (STORE-04). It stays when the user signs out (OPEN-42). */
export const $currency = keptText(KEYS.currency, DEFAULT_CURRENCY)

/** Replaces the currency and saves it (STORE-05). */
export const setCurrency = (code: string): void => $currency.set(code)
