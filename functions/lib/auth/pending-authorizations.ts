import * as v from 'valibot'
import { TRANSACTION_COOKIE } from '../../../contract/wire/constants.ts'
import { encryptValue, decryptValue } from '../security/encrypt-value.ts'

/** Pending authorization request. `at` in ms UTC. */
const transaction = v.object({
  /** Part of the cookie name, so that tabs that start at the same moment do not overwrite each other's cookie. */
  handle: v.string(),
  verifier: v.string(),
  nonce: v.string(),
  state: v.string(),
  kount: v.string(),
  /**
   * Session that the browser had when it started the sign-in. The new session replaces it. The callback does not
   * receive its cookie.
   */
  former: v.optional(v.string()),
  at: v.number(),
})
export type Transaction = v.InferOutput<typeof transaction>

export const TRANSACTION_MS = 600_000
const MAX_PENDING = 4
/** Maximum bytes of all pending authorization cookies, names and values; servers reject headers from 16 KB on. */
const MAX_BYTES = 7800

export const transactionCookie = (authorization: Transaction): string => `${TRANSACTION_COOKIE}-${authorization.handle}`

/** Returns the pending authorization requests in the request's cookies, newest first. */
export async function readTransactions(
  cookies: Readonly<Record<string, string>>,
  cookieKeys: readonly string[],
  now: number,
) {
  const sealed = Object.entries(cookies).filter(([name]) => name.startsWith(`${TRANSACTION_COOKIE}-`))
  const opened = await Promise.all(
    sealed.map(async ([name, value]) => {
      const parsed = v.safeParse(transaction, await decryptValue(value, cookieKeys))
      return parsed.success && transactionCookie(parsed.output) === name ? [parsed.output] : []
    }),
  )
  const pending = opened.flat().filter((authorization) => now - authorization.at < TRANSACTION_MS)
  return pending.sort((authorization, other) => other.at - authorization.at)
}

export const sealTransaction = (authorization: Transaction, cookieKey: string): Promise<string> =>
  encryptValue(authorization, cookieKey)

/**
 * Returns how many pending authorization cookies a browser keeps, at least 1. `lengths`: bytes of each cookie, newest
 * first.
 */
export function howManyFit(lengths: readonly number[]): number {
  let sum = 0
  const over = lengths.slice(0, MAX_PENDING).findIndex((length) => (sum += length) > MAX_BYTES)
  return Math.max(1, over === -1 ? Math.min(lengths.length, MAX_PENDING) : over)
}

/** Returns a code verifier from the current timestamp and 32 random bytes: 52 characters (OPEN-01). `now` in ms. */
export function codeVerifier(now: number, random: string): string {
  return `${random}.${now.toString(36)}`
}
