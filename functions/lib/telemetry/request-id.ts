import type { MiddlewareHandler } from 'hono'
import { REQUEST_ID_HEADER } from '../../../contract/wire/call.ts'
import type { EdgeEnv } from '../edge-context.ts'

/**
 * Assigns each request an id that the edge generates. The response, the request's calls to the provider and its error
 * reports contain the id.
 */
export const assignRequestId: MiddlewareHandler<EdgeEnv> = async (c, next) => {
  c.set('requestId', crypto.randomUUID())
  await next()
  c.header(REQUEST_ID_HEADER, c.var.requestId)
}
