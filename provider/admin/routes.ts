import type { Context, Hono } from 'hono'
import * as v from 'valibot'
import { ADMIN_PATHS, putBridge as bridgeSchema } from '../../contract/admin.ts'
import { id as idSchema } from '../../contract/envelope.ts'
import { putBridge } from '../bridge/enrol.ts'
import type { AppEnv } from '../env.ts'
import { sameSecret } from '../http/compare.ts'
import { readInput } from '../http/read-input.ts'
import { forbidden, malformed, Refusal } from '../http/refusal.ts'
import { seed } from './seed.ts'

function mustBeOperator(c: Context<AppEnv>): void {
  const key = /^Admin (\S+)$/.exec(c.req.header('authorization') ?? '')?.[1]
  if (key === undefined || !sameSecret(key, c.env.ADMIN_KEY))
    throw new Refusal(401, 401, 'The operator key is missing or wrong.')
}

/** Mounts the operator's calls (contract/admin.ts). */
export function adminRoutes(app: Hono<AppEnv>): void {
  app.post(ADMIN_PATHS.seed, async (c) => {
    mustBeOperator(c)
    if (c.env.DEMO !== '1') throw forbidden('Demo accounts exist only in local and preview runs.')
    await seed(c.env, Date.now())
    return c.json({ code: 200 })
  })

  app.put(`${ADMIN_PATHS.bridges}/:id`, async (c) => {
    mustBeOperator(c)
    const id = v.safeParse(idSchema, c.req.param('id'))
    const bridge = v.safeParse(bridgeSchema, (await readInput(c)).payload)
    if (!id.success || !bridge.success) throw malformed('The bridge is malformed.')
    await putBridge(c.env, id.output, bridge.output)
    return c.json({ code: 200 })
  })
}
