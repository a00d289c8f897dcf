import type { Env } from '../env.ts'
import { Refusal } from '../base/refusal.ts'
import type { Refused } from './answers.ts'
import { isRefused } from './refuse.ts'

/** The ledger of an account. */
export const ledgerOf = (env: Env, userId: string) => env.LEDGERS.getByName(userId)

export const refusalOf = ({ code, status, msg, data }: Refused): Refusal => new Refusal(code, status, msg, {}, data)

/** An answer of a ledger, or its refusal thrown. */
export function granted<T>(answer: T | Refused): Exclude<T, Refused> {
  if (isRefused(answer)) throw refusalOf(answer)
  return answer as Exclude<T, Refused>
}
