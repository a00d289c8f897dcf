import type { Env } from '../../env.ts'
import { Refusal } from '../../platform/api-error.ts'
import type { Refused } from './ledger-calls.ts'
import { isRefused } from './errors.ts'

/** The ledger of an account. */
export const ledgerOf = (env: Env, userId: string) => env.LEDGERS.getByName(userId)

export const refusalOf = ({ code, status, msg, data }: Refused): Refusal => new Refusal(code, status, msg, {}, data)

/** An answer of a ledger, or its refusal thrown. */
export function granted<T>(answer: T | Refused): Exclude<T, Refused> {
  if (isRefused(answer)) throw refusalOf(answer)
  return answer as Exclude<T, Refused>
}
