import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { findCatalogEntry } from '../../contract/wire/error-codes.ts'

/** Error of a call, with an error catalog code, an HTTP status and one sentence. */
export class ApiError extends Error {
  readonly code: number | string
  readonly status: ContentfulStatusCode
  readonly headers: Readonly<Record<string, string>>
  /** Value of `data` in the response, if the error needs more than a sentence. */
  readonly data: unknown

  constructor(
    code: number | string,
    status: ContentfulStatusCode,
    msg?: string,
    headers: Record<string, string> = {},
    data?: unknown,
  ) {
    super(msg ?? findCatalogEntry(code)?.text ?? 'The request was rejected.')
    this.code = code
    this.status = status
    this.headers = headers
    this.data = data
  }
}

export const unauthorized = () => new ApiError(401, 401, 'The access token is missing, unknown, or expired.')
export const forbidden = (msg?: string) => new ApiError(403, 403, msg)
export const notFound = () => new ApiError(404, 404)
/** Creates a 429 error with the delay in seconds, rounded up, in the `Retry-After` header and in `data.retry_after`. */
export function tooManyRequests(waitMs: number): ApiError {
  const seconds = Math.ceil(waitMs / 1000)
  return new ApiError(429, 429, undefined, { 'Retry-After': String(seconds) }, { retry_after: seconds })
}
export const badRequest = (msg: string) => new ApiError(400, 400, msg)
