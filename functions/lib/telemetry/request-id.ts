import type { MiddlewareHandler } from 'hono'
import { REQUEST_ID_HEADER } from '../../../contract/wire/call.ts'
import type { EdgeEnv } from '../edge-context.ts'

/**
 * Gives each request an id of the edge's own. The response, the provider calls made for it and all reports carry it.
 */
export const requestIds: MiddlewareHandler<EdgeEnv> = async (c, next) => {
  c.set('requestId', crypto.randomUUID())
  await next()
  c.header(REQUEST_ID_HEADER, c.var.requestId)
}
