import type { MiddlewareHandler } from 'hono'
import { REQUEST_ID_HEADER } from '../../../contract/wire/call.ts'
import type { EdgeEnv } from '../edge-context.ts'

/**
 * Gives each request an id that the edge generates. The response, the provider calls made for the request and all
 * reports carry this id.
 */
export const assignRequestId: MiddlewareHandler<EdgeEnv> = async (c, next) => {
  c.set('requestId', crypto.randomUUID())
  await next()
  c.header(REQUEST_ID_HEADER, c.var.requestId)
}
