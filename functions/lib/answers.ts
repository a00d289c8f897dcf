import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { EdgeContext } from './context.ts'

/** A refusal: a JSON answer whose body code says what the HTTP status says (CALL-72). */
export class Refusal extends Error {
  readonly status: ContentfulStatusCode
  readonly code: number | string
  constructor(status: ContentfulStatusCode, msg: string, code: number | string = status) {
    super(msg)
    this.status = status
    this.code = code
  }
}

export function refuse(c: EdgeContext, refusal: Refusal): Response {
  return c.json({ code: refusal.code, msg: refusal.message }, refusal.status)
}

export const signedOut = (): Refusal => new Refusal(401, 'Please sign in.')
export const notFound = (): Refusal => new Refusal(404, 'There is nothing here.')
export const providerDown = (): Refusal =>
  new Refusal(503, 'The camera service cannot be reached right now. Please try again in a moment.')
export const providerSlow = (): Refusal =>
  new Refusal(504, 'The camera service is taking too long to answer. Please try again in a moment.')
export const providerGarbled = (): Refusal =>
  new Refusal(502, 'The camera service gave an answer that makes no sense. Please try again in a moment.')
