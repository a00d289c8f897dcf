import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../../env.ts'
import { isEqualConstantTime } from '../crypto/constant-time-equal.ts'
import { ApiError } from '../api-error.ts'
import { rejectFailedAuth } from '../rate-limits/failed-auth-limit.ts'

/** Requires `Authorization: Admin <ADMIN_KEY>` on operator calls. */
export const requireOperator: MiddlewareHandler<AppEnv> = async (c, next) => {
  const key = /^Admin (\S+)$/.exec(c.req.header('authorization') ?? '')?.[1]
  if (key === undefined || !isEqualConstantTime(key, c.env.ADMIN_KEY)) {
    throw await rejectFailedAuth(c, 'operator', new ApiError(401, 401, 'The operator key is missing or wrong.'))
  }
  await next()
}
