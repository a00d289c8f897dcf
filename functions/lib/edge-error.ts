import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { ERROR_CATALOG } from '../../contract/wire/error-codes.ts'
import type { EdgeContext } from './edge-context.ts'

/** Error that the edge sends as JSON. The body's `code` is the HTTP status or a more specific code (CALL-72). */
export class EdgeError extends Error {
  readonly status: ContentfulStatusCode
  readonly code: number | string
  constructor(status: ContentfulStatusCode, msg: string, code: number | string = status) {
    super(msg)
    this.status = status
    this.code = code
  }
}

export function sendEdgeError(c: EdgeContext, error: EdgeError): Response {
  return c.json({ code: error.code, msg: error.message }, error.status)
}

/** Returns a 429 error and sets `Retry-After` to `seconds`, rounded up. */
export function createRateLimitError(c: EdgeContext, seconds: number): EdgeError {
  c.header('retry-after', String(Math.ceil(seconds)))
  return new EdgeError(429, ERROR_CATALOG['429'].text)
}

const TRY_LATER = 'Try again in a moment. If the problem continues, contact the operator of this portal.'

export const createSignedOutError = (): EdgeError => new EdgeError(401, 'Log in to continue.')
export const createNotFoundError = (): EdgeError => new EdgeError(404, 'This page doesn’t exist.')
export const createProviderDownError = (): EdgeError =>
  new EdgeError(503, 'We can’t reach the camera service right now. Try again in a moment.')
export const createProviderTimeoutError = (): EdgeError =>
  new EdgeError(504, 'The camera service is taking too long to respond. Try again in a moment.')
export const createSignInDownError = (): EdgeError =>
  new EdgeError(503, `The login service is unavailable right now. ${TRY_LATER}`)
export const createSignInTimeoutError = (): EdgeError =>
  new EdgeError(504, `The login service is taking too long to respond. ${TRY_LATER}`)
export const createInvalidResponseError = (): EdgeError =>
  new EdgeError(502, 'The camera service sent an unexpected response. Try again in a moment.')
