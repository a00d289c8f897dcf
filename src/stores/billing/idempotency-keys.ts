import type { Result } from '../../api/result.ts'
import { tab } from '../storage/storage-keys.ts'

/** Hashes the content of a request, so that its text (such as a coupon code) stays out of storage. */
function hashText(text: string): string {
  let sum = 0xcbf29ce484222325n
  for (const char of text) sum = ((sum ^ BigInt(char.codePointAt(0) ?? 0)) * 0x100000001b3n) & 0xffffffffffffffffn
  return sum.toString(36)
}

const storageKey = (name: string) => `intent_${name}`

/**
 * Returns the idempotency key for the action `name` with content `about`. The key stays the same across reloads while
 * name and content do not change, so that a retry after a lost response has no second effect.
 */
export function intentFor(name: string, about: string): string {
  const sum = hashText(about)
  const [key, storedSum] = (tab.read(storageKey(name)) ?? '').split(' ')
  if (key && storedSum === sum) return key
  const fresh = crypto.randomUUID()
  tab.write(storageKey(name), `${fresh} ${sum}`)
  return fresh
}

/** HTTP statuses that do not decide about the request: authentication, timeout or rate limit. */
const AT_THE_DOOR: readonly number[] = [401, 403, 408, 429]

/** Returns true if the response is final: success or a permanent rejection. */
const isFinal = (answer: Result<unknown>): boolean =>
  answer.ok || (answer.status >= 400 && answer.status < 500 && !AT_THE_DOOR.includes(answer.status))

/** Discards the key after a final response: the next request gets a new one. */
export function endIntent(name: string, answer: Result<unknown>): void {
  if (isFinal(answer)) tab.remove(storageKey(name))
}
