import { CURRENCY, isCurrency } from '../../../contract/billing/amounts.ts'
import { keptText } from '../storage/persistent-atoms.ts'
import { MONEY_KEYS } from '../storage/billing-keys.ts'

/** The code of the currency that amounts are shown in (STORE-04); it stays when the user signs out (OPEN-42). A stored code that no currency has counts as absent. */
export const $currency = keptText(MONEY_KEYS.currency, CURRENCY, isCurrency)

export const setCurrency = (code: string): void => $currency.set(code)
