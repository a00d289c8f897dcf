import { createHash } from 'node:crypto'
import { DAY_MS } from '../pricing/billing-period.ts'
import type { Refused } from './ledger-calls.ts'
import type { Book } from './ledger-store.ts'
import { intentUsed, isRefused } from './errors.ts'

/** The answer of an intent is kept for so long. */
export const INTENT_MS = 30 * DAY_MS

export const hashOf = (body: unknown): string => createHash('sha256').update(JSON.stringify(body)).digest('base64url')

/** Does something once for an intent: the same body again has the same answer, another body none. Inside a transaction. */
export function once<T>(
  book: Book,
  { intent, body }: { intent: string; body: unknown },
  now: number,
  work: () => T | Refused,
): T | Refused {
  const hash = hashOf(body)
  const known = book.get('intent', intent)
  if (known) return known.hash === hash && known.answer !== null ? (known.answer as T | Refused) : intentUsed()
  const answer = work()
  if (!isRefused(answer)) remember(book, intent, { hash, answer }, now)
  return answer
}

/** `answer` null: it is under way. */
export function remember(book: Book, intent: string, { hash, answer }: { hash: string; answer: unknown }, now: number) {
  book.put(0, 'intent', intent, { hash, at: now, answer }, answer === null ? null : now + INTENT_MS)
}
