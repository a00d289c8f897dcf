import type { Env } from '../../env.ts'
import { ApiError } from '../../platform/api-error.ts'
import type { LedgerError } from './ledger-calls.ts'
import { isLedgerError } from './errors.ts'
import { getObject } from '../../platform/objects.ts'

export const getLedgerStub = (env: Env, userId: string) => getObject(env, 'LEDGERS', userId)

export const toApiError = ({ code, status, msg, data }: LedgerError): ApiError =>
  new ApiError(code, status, msg, {}, data)

/** Returns the result of a ledger call. Throws an `ApiError` if the ledger rejected the call. */
export function unwrapLedgerResult<T>(result: T | LedgerError): Exclude<T, LedgerError> {
  if (isLedgerError(result)) throw toApiError(result)
  return result as Exclude<T, LedgerError>
}
