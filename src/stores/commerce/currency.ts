import { CURRENCY } from '../../../contract/money.ts'
import { keptText } from '../storage/persistent.ts'
import { MONEY_KEYS } from '../storage/purchase-keys.ts'

/** The code of the currency that amounts are shown in (STORE-04); it stays when the user signs out (OPEN-42). */
export const $currency = keptText(MONEY_KEYS.currency, CURRENCY)

export const setCurrency = (code: string): void => $currency.set(code)
