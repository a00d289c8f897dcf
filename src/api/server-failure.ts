import type { RequestFailure } from './result.ts'

const MSG_MAX_CHARS = 300

/** Converts a server response to a failure. The code comes from the body, or else from the HTTP status. */
export function toServerFailure(status: number, body: unknown): RequestFailure {
  const { code, msg, data } = Object(body) as Record<string, unknown>
  return {
    ok: false,
    code: typeof code === 'number' || typeof code === 'string' ? String(code) : String(status),
    msg: typeof msg === 'string' ? msg.slice(0, MSG_MAX_CHARS) : '',
    kind: status >= 400 && status < 500 ? 'ERR_BAD_REQUEST' : 'ERR_BAD_RESPONSE',
    status,
    detail: data,
  }
}
