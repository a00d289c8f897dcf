import { tab } from '../storage/storage.ts'

/** A short sum of what an intent is about: the text itself, a coupon code for one, stays out of storage. */
function sumOf(text: string): string {
  let sum = 0xcbf29ce484222325n
  for (const char of text) sum = ((sum ^ BigInt(char.codePointAt(0) ?? 0)) * 0x100000001b3n) & 0xffffffffffffffffn
  return sum.toString(36)
}

const placeOf = (what: string) => `intent_${what}`

/**
 * The key of an intent: `what` names it, `about` is what exactly it asks for. The same for as long as both stay the same,
 * over a reload as well, so that an answer that was lost is asked for again and nothing happens twice.
 */
export function intentFor(what: string, about: string): string {
  const sum = sumOf(about)
  const [key, known] = (tab.read(placeOf(what)) ?? '').split(' ')
  if (key && known === sum) return key
  const fresh = crypto.randomUUID()
  tab.write(placeOf(what), `${fresh} ${sum}`)
  return fresh
}

/** It is through, or was refused for good: the next one has a key of its own. */
export const endIntent = (what: string): void => tab.remove(placeOf(what))
