import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../../env.ts'
import { sameSecret } from '../crypto/constant-time-equal.ts'
import { Refusal } from '../api-error.ts'
import { refuseStranger } from '../rate-limits/failed-auth-limit.ts'

/** Stands before every operator call: `Authorization: Admin <ADMIN_KEY>`. */
export const mustBeOperator: MiddlewareHandler<AppEnv> = async (c, next) => {
  const key = /^Admin (\S+)$/.exec(c.req.header('authorization') ?? '')?.[1]
  if (key === undefined || !sameSecret(key, c.env.ADMIN_KEY)) {
    throw await refuseStranger(c, 'operator', new Refusal(401, 401, 'The operator key is missing or wrong.'))
  }
  await next()
}
