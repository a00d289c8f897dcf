import { isSignedOut } from '../../api/api-client.ts'
import type { RequestFailure, Result } from '../../api/result.ts'
import { findFailureEntry, failureText } from './failure-text.ts'
import { showToast } from './toasts.ts'

/**
 * Display of a failure (OPEN-133). `toast`: for a user action without an area for errors. `place`: a list or panel
 * shows the failure. `both`: as in the event list (OPEN-63). Polls, background reads and the cases of OPEN-53 and
 * OPEN-54 use `request` alone.
 */
export type FailureDisplay = 'toast' | 'place' | 'both'

export interface Failure extends RequestFailure {
  /** Message in one sentence: from the error catalog, if it has an entry. */
  readonly text: string
  /** True if the caller must display `text`; false if a toast displays it. */
  readonly inPlace: boolean
}

export type Outcome<T> = { readonly ok: true; readonly data: T } | Failure

/**
 * Shows a failure as a toast, if `shows` requires one, and returns it for display in place. `own`: text for a failure
 * without a catalog entry; with `both`, such a failure gets no toast. Lost sessions and canceled requests get no toast
 * (ERROR-39).
 */
export function showFailure(shows: FailureDisplay, failure: RequestFailure, own = ''): Failure {
  const entry = findFailureEntry(failure)
  const text = failureText(failure, own)
  const isSaid = !isSignedOut(failure) && failure.kind !== 'ERR_CANCELED'
  if (isSaid && (shows === 'toast' || (shows === 'both' && entry))) showToast(entry?.style ?? 'error', text)
  return { ...failure, text, inPlace: shows !== 'toast' }
}

export async function withFailureShown<T>(
  shows: FailureDisplay,
  pending: Promise<Result<T>>,
  own = '',
): Promise<Outcome<T>> {
  const answer = await pending
  return answer.ok ? answer : showFailure(shows, answer, own)
}

/**
 * Runs a user action. Returns null on success, otherwise the failure, shown as a toast. `done`: optional success toast.
 */
export async function runUserAction(
  pending: Promise<Result<unknown>>,
  { own = '', done = '' } = {},
): Promise<Failure | null> {
  const answer = await withFailureShown('toast', pending, own)
  if (!answer.ok) return answer
  if (done !== '') showToast('success', done)
  return null
}

/** Treats a 404 as success: the resource to delete is already gone. */
export async function ignoreNotFound<T>(pending: Promise<Result<T>>): Promise<Result<T | null>> {
  const answer = await pending
  return !answer.ok && answer.status === 404 ? { ok: true, data: null } : answer
}
