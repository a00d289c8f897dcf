/**
 * How a request can end without an answer that was asked for, by the usual names of HTTP clients (spec §8).
 * `ECONNABORTED`: ended by a timeout; `ETIMEDOUT`: the same, for callers that ask to tell it apart (OPEN-113).
 */
export type FailureKind =
  | 'ERR_NETWORK'
  | 'ECONNABORTED'
  | 'ETIMEDOUT'
  | 'ERR_BAD_REQUEST'
  | 'ERR_BAD_RESPONSE'
  | 'ERR_CANCELED'

export interface RequestFailure {
  readonly ok: false
  /** The body's code, else the HTTP status, else the kind. */
  readonly code: string
  /** What the server said, at most 300 characters, or ''. Shown as text only (OPEN-130). */
  readonly msg: string
  readonly kind: FailureKind
  /** HTTP status; 0 when no answer arrived. */
  readonly status: number
}

export type Result<T> = { readonly ok: true; readonly data: T } | RequestFailure

const MSG_MAX = 300

/** A failure without an answer. */
export function noAnswer(kind: FailureKind): RequestFailure {
  return { ok: false, code: kind, msg: '', kind, status: 0 }
}

/** A failure that the server told: by the code in its body, else by its status. */
export function refused(status: number, body: unknown): RequestFailure {
  const { code, msg } = (typeof body === 'object' && body !== null ? body : {}) as { code?: unknown; msg?: unknown }
  return {
    ok: false,
    code: typeof code === 'number' || typeof code === 'string' ? String(code) : String(status),
    msg: typeof msg === 'string' ? msg.slice(0, MSG_MAX) : '',
    kind: status >= 400 && status < 500 ? 'ERR_BAD_REQUEST' : 'ERR_BAD_RESPONSE',
    status,
  }
}
