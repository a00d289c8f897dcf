import { CURRENCY, isCurrency } from '../../../contract/billing/amounts.ts'
import { persistentText } from '../storage/persistent-atoms.ts'
import { BILLING_KEYS } from '../storage/billing-keys.ts'

/**
 * Currency code for displayed amounts (STORE-04), kept on sign-out (OPEN-42). An unknown stored code counts as absent.
 */
export const $currency = persistentText(BILLING_KEYS.currency, CURRENCY, isCurrency)

export const setCurrency = (code: string): void => $currency.set(code)
