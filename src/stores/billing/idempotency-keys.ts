import type { RequestFailure, Result } from '../../api/result.ts'
import { safeSessionStorage } from '../storage/storage-keys.ts'

/** Hashes the content of a request, so that its text (such as a coupon code) stays out of storage. */
function hashContent(text: string): string {
  let sum = 0xcbf29ce484222325n
  for (const char of text) sum = ((sum ^ BigInt(char.codePointAt(0) ?? 0)) * 0x100000001b3n) & 0xffffffffffffffffn
  return sum.toString(36)
}

const getStorageKey = (name: string) => `intent_${name}`

/**
 * Returns the idempotency key of an action. While name and content stay the same, the key survives reloads. A retry
 * after a lost response then has no second effect.
 */
export function getIdempotencyKey(name: string, content: string): string {
  const contentHash = hashContent(content)
  const [key, storedHash] = (safeSessionStorage.read(getStorageKey(name)) ?? '').split(' ')
  if (key && storedHash === contentHash) return key
  const newKey = crypto.randomUUID()
  safeSessionStorage.write(getStorageKey(name), `${newKey} ${contentHash}`)
  return newKey
}

/** HTTP client errors that are not a final rejection: missing sign-in or permission, timeout and rate limit. */
const UNDECIDED_STATUSES: readonly number[] = [401, 403, 408, 429]

/** Returns true for a client error that rules out any effect of the request. */
export const isFinalRejection = ({ status }: RequestFailure): boolean =>
  status >= 400 && status < 500 && !UNDECIDED_STATUSES.includes(status)

const isFinalResult = (result: Result<unknown>): boolean => result.ok || isFinalRejection(result)

/** Discards the key after a final response, so that the next request gets a new key. */
export function discardKeyIfFinal(name: string, result: Result<unknown>): void {
  if (isFinalResult(result)) safeSessionStorage.remove(getStorageKey(name))
}
