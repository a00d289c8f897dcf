import { createHash } from 'node:crypto'
import type { LedgerError } from './ledger-calls.ts'
import type { LedgerStore } from './ledger-store.ts'
import { createIntentUsedError, isLedgerError } from './errors.ts'
import { DAY_MS } from '../../../contract/time-units.ts'

/** Retention period of the stored response for an idempotency key. */
export const INTENT_RETENTION_MS = 30 * DAY_MS

export const hashBody = (body: unknown): string => createHash('sha256').update(JSON.stringify(body)).digest('base64url')

/**
 * Runs `work` and stores its response for the idempotency key, but stores no errors. A repeated request with the same
 * body gets the stored response; a request with another body gets an error. Must run inside a transaction.
 */
export function runIdempotent<T>(
  store: LedgerStore,
  { intent, body }: { intent: string; body: unknown },
  now: number,
  work: () => T | LedgerError,
): T | LedgerError {
  const hash = hashBody(body)
  const stored = store.get('intent', intent)
  if (stored)
    return stored.hash === hash && stored.answer !== null ? (stored.answer as T | LedgerError) : createIntentUsedError()
  const response = work()
  if (!isLedgerError(response)) storeIdempotentResult(store, intent, { hash, answer: response }, now)
  return response
}

/** Stores the response for an idempotency key. `answer`: null while the request is pending. */
export function storeIdempotentResult(
  store: LedgerStore,
  intent: string,
  { hash, answer }: { hash: string; answer: unknown },
  now: number,
) {
  store.put(0, 'intent', intent, { hash, at: now, answer }, answer === null ? null : now + INTENT_RETENTION_MS)
}
