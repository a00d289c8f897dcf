import * as v from 'valibot'
import { TRANSACTION_COOKIE } from '../../../contract/wire/constants.ts'
import { seal, unseal } from '../security/encrypt-value.ts'

/** A sign-in that has been started and not yet come back. `at` in ms UTC. */
const transaction = v.object({
  /** Names its cookie: tabs that begin at the same moment each write their own, and none overwrites another's. */
  handle: v.string(),
  verifier: v.string(),
  nonce: v.string(),
  state: v.string(),
  kount: v.string(),
  /** The session of the browser when it began, which the new one replaces: its cookie does not come along to the callback. */
  former: v.optional(v.string()),
  at: v.number(),
})
export type Transaction = v.InferOutput<typeof transaction>

export const TRANSACTION_MS = 600_000
const MAX_PENDING = 4
/** All pending sign-ins of a browser in bytes of name and value; servers refuse headers from 16 KB on. */
const MAX_BYTES = 7800

export const transactionCookie = (authorization: Transaction): string => `${TRANSACTION_COOKIE}-${authorization.handle}`

/** The pending sign-ins among the cookies of a request, by name, newest first. */
export async function readTransactions(
  cookies: Readonly<Record<string, string>>,
  cookieKeys: readonly string[],
  now: number,
) {
  const sealed = Object.entries(cookies).filter(([name]) => name.startsWith(`${TRANSACTION_COOKIE}-`))
  const opened = await Promise.all(
    sealed.map(async ([name, value]) => {
      const parsed = v.safeParse(transaction, await unseal(value, cookieKeys))
      return parsed.success && transactionCookie(parsed.output) === name ? [parsed.output] : []
    }),
  )
  const pending = opened.flat().filter((authorization) => now - authorization.at < TRANSACTION_MS)
  return pending.sort((authorization, other) => other.at - authorization.at)
}

export const sealTransaction = (authorization: Transaction, cookieKey: string): Promise<string> =>
  seal(authorization, cookieKey)

/** How many of `lengths`, the bytes of each pending sign-in's cookie, newest first, a browser is left with: one at least. */
export function howManyFit(lengths: readonly number[]): number {
  let sum = 0
  const over = lengths.slice(0, MAX_PENDING).findIndex((length) => (sum += length) > MAX_BYTES)
  return Math.max(1, over === -1 ? Math.min(lengths.length, MAX_PENDING) : over)
}

/** A code verifier from the current timestamp and 32 random bytes: 52 characters (OPEN-01). `now` in ms. */
export function codeVerifier(now: number, random: string): string {
  return `${random}.${now.toString(36)}`
}
