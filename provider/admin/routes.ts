import type { Hono } from 'hono'
import * as v from 'valibot'
import { ADMIN_PATHS, putBridge as bridgeSchema } from '../../contract/admin.ts'
import { id as idSchema } from '../../contract/envelope.ts'
import { noteInHome } from '../activity/note.ts'
import { putBridge } from '../bridge/enrol.ts'
import { homeStub } from '../access/home-stub.ts'
import type { AppEnv } from '../env.ts'
import { readInput } from '../http/read-input.ts'
import { forbidden, malformed, notFound } from '../base/refusal.ts'
import { accountRoutes } from './accounts.ts'
import { clockRoutes } from './clock.ts'
import { mustBeOperator } from '../base/operator.ts'
import { seed } from './seed.ts'

/** Mounts the operator's calls (contract/admin.ts). */
export function adminRoutes(app: Hono<AppEnv>): void {
  app.post(ADMIN_PATHS.seed, mustBeOperator, async (c) => {
    if (c.env.DEMO !== '1') throw forbidden('Demo accounts exist only in local and preview runs.')
    return c.json({ code: 200, data: { failed: await seed(c.env, Date.now()) } })
  })

  app.put(`${ADMIN_PATHS.bridges}/:id`, mustBeOperator, async (c) => {
    const id = v.safeParse(idSchema, c.req.param('id'))
    const bridge = v.safeParse(bridgeSchema, (await readInput(c)).payload)
    if (!id.success || !bridge.success) throw malformed('The bridge is malformed.')
    const now = Date.now()
    for (const home of await putBridge(c.env, id.output, bridge.output, now))
      noteInHome(c.env, home, { kind: 'bridge-added', who: null, value: bridge.output.name }, now)
    return c.json({ code: 200 })
  })

  app.post(`${ADMIN_PATHS.retention}/:id`, mustBeOperator, async (c) => {
    const id = v.safeParse(idSchema, c.req.param('id'))
    if (!id.success) throw malformed('The home id is malformed.')
    const known = await c.env.DB.prepare('SELECT 1 AS known FROM homes WHERE home_id = ?').bind(id.output).first()
    if (!known) throw notFound()
    return c.json({ code: 200, data: { more: await homeStub(c.env, id.output).look(Date.now()) } })
  })

  accountRoutes(app)
  clockRoutes(app)
}
