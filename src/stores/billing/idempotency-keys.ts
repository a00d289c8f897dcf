import type { Result } from '../../api/result.ts'
import { tab } from '../storage/storage-keys.ts'

/** A short sum of what an intent is about: the text itself, a coupon code for one, stays out of storage. */
function hashText(text: string): string {
  let sum = 0xcbf29ce484222325n
  for (const char of text) sum = ((sum ^ BigInt(char.codePointAt(0) ?? 0)) * 0x100000001b3n) & 0xffffffffffffffffn
  return sum.toString(36)
}

const storageKey = (name: string) => `intent_${name}`

/**
 * The key of an intent: `what` names it, `about` is what exactly it asks for. The same for as long as both stay the same,
 * over a reload as well, so that an answer that was lost is asked for again and nothing happens twice.
 */
export function intentFor(name: string, about: string): string {
  const sum = hashText(about)
  const [key, storedSum] = (tab.read(storageKey(name)) ?? '').split(' ')
  if (key && storedSum === sum) return key
  const fresh = crypto.randomUUID()
  tab.write(storageKey(name), `${fresh} ${sum}`)
  return fresh
}

/** These say nothing of the intent itself: who asks, or how often, was in the way. */
const AT_THE_DOOR: readonly number[] = [401, 403, 408, 429]

/** Whether an answer says what became of an intent: it is through, or was refused for good. */
const isFinal = (answer: Result<unknown>): boolean =>
  answer.ok || (answer.status >= 400 && answer.status < 500 && !AT_THE_DOOR.includes(answer.status))

/** Ends an intent where its answer is final: the next one has a key of its own. */
export function endIntent(name: string, answer: Result<unknown>): void {
  if (isFinal(answer)) tab.remove(storageKey(name))
}
