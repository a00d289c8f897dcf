import { CURRENCY, isCurrency } from '../../../contract/billing/amounts.ts'
import { keptText } from '../storage/persistent-atoms.ts'
import { MONEY_KEYS } from '../storage/billing-keys.ts'

/**
 * Code of the currency that amounts are shown in (STORE-04); kept on sign-out (OPEN-42). An unknown stored code counts
 * as absent.
 */
export const $currency = keptText(MONEY_KEYS.currency, CURRENCY, isCurrency)

export const setCurrency = (code: string): void => $currency.set(code)
