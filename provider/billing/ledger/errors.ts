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
  createLedgerError('intent', 422, 'This request conflicts with an earlier one. Try again.')
export const createBusyError = () =>
  createLedgerError('busy', 409, 'Another payment on this account is still in progress. Try again shortly.')
export const createAccountDeletedError = () =>
  createLedgerError(404, 404, 'This account was deleted. You haven’t been charged.')
export const createOtherCurrencyError = () =>
  createLedgerError(
    'currency',
    409,
    'This account’s plans use another currency. You haven’t been charged. Contact support.',
  )
export const createHeldError = () =>
  createLedgerError('gateway', 503, 'Billing is on hold for maintenance. You haven’t been charged. Try again later.')
export const createGatewayDownError = () =>
  createLedgerError(
    'gateway',
    503,
    'We couldn’t reach the payment provider. You haven’t been charged. Try again shortly.',
  )
