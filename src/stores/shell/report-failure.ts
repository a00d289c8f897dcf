import { isSignedOut } from '../../api/api-client.ts'
import type { RequestFailure, Result } from '../../api/result.ts'
import { findFailureEntry, formatFailure } from './failure-text.ts'
import { showToast } from './toasts.ts'

/**
 * Place where a failure appears (OPEN-133). `place`: the list or panel of the data. `both`: the place and a toast
 * (OPEN-63). Polls, background reads and the cases of OPEN-53 and OPEN-54 show no failure.
 */
export type FailureDisplay = 'toast' | 'place' | 'both'

export interface Failure extends RequestFailure {
  /** Message in one sentence, from the error catalog if it has an entry. */
  readonly text: string
  /** True if the caller must display `text`; false if a toast displays it. */
  readonly inPlace: boolean
}

export type Outcome<T> = { readonly ok: true; readonly data: T } | Failure

/**
 * Returns the failure with its text, and shows a toast if `display` requires one. With `both`, only catalog texts
 * appear in a toast. Sign-outs and canceled requests show no toast (ERROR-39).
 */
export function showFailure(display: FailureDisplay, failure: RequestFailure, fallbackText = ''): Failure {
  const entry = findFailureEntry(failure)
  const text = formatFailure(failure, fallbackText)
  const mayShowToast = !isSignedOut(failure) && failure.kind !== 'ERR_CANCELED'
  if (mayShowToast && (display === 'toast' || (display === 'both' && entry))) showToast(entry?.style ?? 'error', text)
  return { ...failure, text, inPlace: display !== 'toast' }
}

export async function withFailureShown<T>(
  display: FailureDisplay,
  pending: Promise<Result<T>>,
  fallbackText = '',
): Promise<Outcome<T>> {
  const result = await pending
  return result.ok ? result : showFailure(display, result, fallbackText)
}

/**
 * Waits for a user action. Returns null on success; otherwise shows a toast and returns the failure. `own`: failure
 * text if the error catalog has none. `done`: text of a success toast; '' shows no toast.
 */
export async function runUserAction(
  pending: Promise<Result<unknown>>,
  { own = '', done = '' } = {},
): Promise<Failure | null> {
  const result = await withFailureShown('toast', pending, own)
  if (!result.ok) return result
  if (done !== '') showToast('success', done)
  return null
}

/** Returns a 404 as a success with the data null, for example because a resource to delete is already gone. */
export async function ignoreNotFound<T>(pending: Promise<Result<T>>): Promise<Result<T | null>> {
  const result = await pending
  return !result.ok && result.status === 404 ? { ok: true, data: null } : result
}
