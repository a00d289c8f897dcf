import type { LedgerError } from './ledger-calls.ts'

/** Returns the error of a rejected call. `msg`: sentence for the user; omitted: the sentence of the error catalog. */
export function createLedgerError(
  code: LedgerError['code'],
  status: LedgerError['status'],
  msg?: string,
  data?: LedgerError['data'],
): LedgerError {
  return { state: 'refused', code, status, ...(msg !== undefined && { msg }), ...(data !== undefined && { data }) }
}

export const isLedgerError = (result: unknown): result is LedgerError =>
  typeof result === 'object' && result !== null && 'state' in result && result.state === 'refused'

export const createIntentUsedError = () =>
  createLedgerError('intent', 422, 'This was already used for something else. Please try again.')
export const createBusyError = () =>
  createLedgerError('busy', 409, 'Another purchase of this account is still under way.')
export const createAccountDeletedError = () => createLedgerError(404, 404, 'This account is gone. Nothing was charged.')
export const createOtherCurrencyError = () =>
  createLedgerError(
    'currency',
    409,
    "This account's plans are in another currency. Nothing was charged. Please contact support.",
  )
export const createGatewayDownError = () =>
  createLedgerError('gateway', 503, 'The bank could not be asked. Nothing was charged.')
