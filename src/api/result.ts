/**
 * Failure kinds of a request, named as in common HTTP clients (ERROR-31 to 36). `ECONNABORTED` is a timeout; for
 * callers that set `clarifyTimeout`, a timeout is `ETIMEDOUT` instead (OPEN-113).
 */
export type FailureKind =
  'ERR_NETWORK' | 'ECONNABORTED' | 'ETIMEDOUT' | 'ERR_BAD_REQUEST' | 'ERR_BAD_RESPONSE' | 'ERR_CANCELED'

export interface RequestFailure {
  readonly ok: false
  /** Code from the response body; otherwise the HTTP status or, without a usable response, the failure kind. */
  readonly code: string
  /** The server's message, at most 300 characters, or ''. Shown as text only (OPEN-130). */
  readonly msg: string
  readonly kind: FailureKind
  /** HTTP status; 0 if there was no response. */
  readonly status: number
  /** Additional data of the server's error response. Callers must validate it. */
  readonly detail?: unknown
}

export type Result<T> = { readonly ok: true; readonly data: T } | RequestFailure

export function createNoResponseFailure(kind: FailureKind): RequestFailure {
  return { ok: false, code: kind, msg: '', kind, status: 0 }
}
