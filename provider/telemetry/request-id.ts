import type { Context } from 'hono'
import { REQUEST_ID_HEADER } from '../../contract/wire/call.ts'
import type { AppEnv } from '../env.ts'

/** The id that the edge gave the request; undefined where it gave none. */
export function getRequestId(c: Context<AppEnv>): string | undefined {
  const id = c.req.header(REQUEST_ID_HEADER) ?? ''
  return /^[\w-]{1,64}$/.test(id) ? id : undefined
}
