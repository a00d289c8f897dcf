import * as v from 'valibot'
import { seal, unseal } from './seal.ts'

/** A sign-in that has been started and not yet come back. `at` in ms UTC. */
const transaction = v.object({
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
/** A browser keeps 4,096 bytes of name, value and attributes. */
const MAX_COOKIE = 3900

/** The pending sign-ins of a cookie value, newest first. */
export async function readTransactions(cookie: string | undefined, cookieKey: string, now: number) {
  const parsed = v.safeParse(v.array(transaction), await unseal(cookie, cookieKey))
  return parsed.success ? parsed.output.filter((one) => now - one.at < TRANSACTION_MS) : []
}

/** The cookie value that holds the newest of `pending`: 4 at most, fewer when their paths are long. */
export async function writeTransactions(pending: readonly Transaction[], cookieKey: string): Promise<string> {
  for (let count = Math.min(pending.length, MAX_PENDING); count > 1; count--) {
    const sealed = await seal(pending.slice(0, count), cookieKey)
    if (sealed.length <= MAX_COOKIE) return sealed
  }
  return seal(pending.slice(0, 1), cookieKey)
}

/** A code verifier from the current timestamp and 32 random bytes: 52 characters (OPEN-01). `now` in ms. */
export function codeVerifier(now: number, random: string): string {
  return `${random}.${now.toString(36)}`
}
