import type { Context } from 'hono'
import { REQUEST_ID_HEADER } from '../../contract/wire/call.ts'
import type { AppEnv } from '../env.ts'

/** Returns the request id that the edge assigned; undefined if it is missing or malformed. */
export function getRequestId(c: Context<AppEnv>): string | undefined {
  const id = c.req.header(REQUEST_ID_HEADER) ?? ''
  return /^[\w-]{1,64}$/.test(id) ? id : undefined
}
