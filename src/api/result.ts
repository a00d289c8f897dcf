/**
 * How a request can end without an answer that was asked for, by the usual names of HTTP clients (ERROR-31 to 36).
 * `ECONNABORTED`: ended by a timeout; `ETIMEDOUT`: the same, for callers that ask to tell it apart (OPEN-113).
 */
export type FailureKind =
  'ERR_NETWORK' | 'ECONNABORTED' | 'ETIMEDOUT' | 'ERR_BAD_REQUEST' | 'ERR_BAD_RESPONSE' | 'ERR_CANCELED'

export interface RequestFailure {
  readonly ok: false
  /** The body's code, else the HTTP status, else the kind. */
  readonly code: string
  /** What the server said, at most 300 characters, or ''. Shown as text only (OPEN-130). */
  readonly msg: string
  readonly kind: FailureKind
  /** HTTP status; 0 when no answer arrived. */
  readonly status: number
  /** What the server said beside its sentence; to be parsed by who uses it. */
  readonly detail?: unknown
}

export type Result<T> = { readonly ok: true; readonly data: T } | RequestFailure

/** A failure without an answer. */
export function noAnswer(kind: FailureKind): RequestFailure {
  return { ok: false, code: kind, msg: '', kind, status: 0 }
}
