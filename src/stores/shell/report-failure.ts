import { isSignedOut } from '../../api/api-client.ts'
import type { RequestFailure, Result } from '../../api/result.ts'
import { findFailureEntry, failureText } from './failure-text.ts'
import { showToast } from './toasts.ts'

/**
 * Where a failure is told (OPEN-133). `toast`: an action of a person, which has no place of its own. `place`: a list or a
 * panel, which says it itself. `both`: the list of events (OPEN-63). What is told nowhere is asked with `request` alone:
 * polls, background reads and what OPEN-53 and 54 name.
 */
export type FailureDisplay = 'toast' | 'place' | 'both'

/** A failed call as people are told of it. */
export interface Failure extends RequestFailure {
  /** One sentence: the catalogue's where it has one. */
  readonly text: string
  /** Whether the part of the page that asked shows `text`; if not, a toast has. */
  readonly inPlace: boolean
}

export type Outcome<T> = { readonly ok: true; readonly data: T } | Failure

/**
 * Tells a failure where it belongs, once, and hands back what its place shows. `own` are words for what the catalogue does
 * not know; beside a place that has them they need no toast. A lost session and what was cancelled are not told (ERROR-39).
 */
export function showFailure(shows: FailureDisplay, failure: RequestFailure, own = ''): Failure {
  const entry = findFailureEntry(failure)
  const text = failureText(failure, own)
  const isSaid = !isSignedOut(failure) && failure.kind !== 'ERR_CANCELED'
  if (isSaid && (shows === 'toast' || (shows === 'both' && entry))) showToast(entry?.style ?? 'error', text)
  return { ...failure, text, inPlace: shows !== 'toast' }
}

/** The answer to a call, its failure told. */
export async function withFailureShown<T>(
  shows: FailureDisplay,
  pending: Promise<Result<T>>,
  own = '',
): Promise<Outcome<T>> {
  const answer = await pending
  return answer.ok ? answer : showFailure(shows, answer, own)
}

/** An action of a person: null once it is done, else its failure, told as a toast. `done`: a word for who waits for one. */
export async function runUserAction(
  pending: Promise<Result<unknown>>,
  { own = '', done = '' } = {},
): Promise<Failure | null> {
  const answer = await withFailureShown('toast', pending, own)
  if (!answer.ok) return answer
  if (done !== '') showToast('success', done)
  return null
}

/** What is to be taken away and is gone already is as it was asked for: a 404 counts as done. */
export async function ignoreNotFound<T>(pending: Promise<Result<T>>): Promise<Result<T | null>> {
  const answer = await pending
  return !answer.ok && answer.status === 404 ? { ok: true, data: null } : answer
}
