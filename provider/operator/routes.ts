import type { Hono } from 'hono'
import * as v from 'valibot'
import {
  ADMIN_PATHS,
  putBridgeRequest as bridgeSchema,
  moveClockRequest,
} from '../../contract/operator/operator-calls.ts'
import { id as idSchema } from '../../contract/wire/envelope.ts'
import { recordHomeActivity } from '../accounts/activity/record-activity.ts'
import { storeBridge } from '../bridge/enroll-bridge.ts'
import { homeStub } from '../homes/members/home-stub.ts'
import type { AppEnv, Env } from '../env.ts'
import { readCallInput } from '../platform/http/read-call-input.ts'
import { forbidden, badRequest, notFound } from '../platform/api-error.ts'
import { accountRoutes } from './account-routes.ts'
import { requireOperator } from '../platform/auth/require-operator.ts'
import { seedDemo } from './seed-demo.ts'
import { DEMO_ACCOUNTS, DEMO_PLAN_STATE_ACCOUNTS } from '../../contract/operator/demo-accounts.ts'
import { findAccountByEmail } from '../accounts/account-rows.ts'
import { isLocalDeployment } from '../platform/local-deployment.ts'
import { getLedgerStub } from '../billing/ledger/ledger-stub.ts'

export function adminRoutes(app: Hono<AppEnv>): void {
  app.post(ADMIN_PATHS.seed, requireOperator, async (c) => {
    if (c.env.DEMO !== '1') throw forbidden('Demo accounts are only available in local and preview runs.')
    return c.json({ code: 200, data: { failed: await seedDemo(c.env, Date.now()) } })
  })

  app.put(`${ADMIN_PATHS.bridges}/:id`, requireOperator, async (c) => {
    const id = v.safeParse(idSchema, c.req.param('id'))
    const bridge = v.safeParse(bridgeSchema, (await readCallInput(c)).payload)
    if (!id.success || !bridge.success) throw badRequest('The hub data is malformed.')
    const now = Date.now()
    for (const home of await storeBridge(c.env, id.output, bridge.output, now))
      recordHomeActivity(c.env, home, { kind: 'bridge-added', who: null, value: bridge.output.name }, now)
    return c.json({ code: 200 })
  })

  app.post(`${ADMIN_PATHS.retention}/:id`, requireOperator, async (c) => {
    const id = v.safeParse(idSchema, c.req.param('id'))
    if (!id.success) throw badRequest('The home ID is malformed.')
    const homeRow = await c.env.DB.prepare('SELECT 1 AS known FROM homes WHERE home_id = ?').bind(id.output).first()
    if (!homeRow) throw notFound()
    return c.json({ code: 200, data: { more: await homeStub(c.env, id.output).runRetentionStep(Date.now()) } })
  })

  accountRoutes(app)
  testClockRoutes(app)
}

/** Mounts the calls of `npm run clock`, which move only the test clocks of demo ledgers. */
function testClockRoutes(app: Hono<AppEnv>): void {
  app.get(ADMIN_PATHS.clock, requireOperator, async (c) => {
    return c.json({ code: 200, data: await forEachDemoLedger(c.env, (ledger) => ledger.moveClock(0, Date.now())) })
  })
  app.post(ADMIN_PATHS.clock, requireOperator, async (c) => {
    if (c.env.DEMO !== '1' || !isLocalDeployment(c.env))
      throw forbidden('The test clock works only in demo runs that other computers can’t reach.')
    const input = v.safeParse(moveClockRequest, (await readCallInput(c)).payload)
    if (!input.success) throw badRequest('The test clock can only move forward, up to three years at a time.')
    const { by_ms } = input.output
    return c.json({ code: 200, data: await forEachDemoLedger(c.env, (ledger) => ledger.moveClock(by_ms, Date.now())) })
  })
}

async function forEachDemoLedger(env: Env, callLedger: (ledger: ReturnType<typeof getLedgerStub>) => Promise<number>) {
  let [accounts, ahead] = [0, 0]
  for (const { email } of [...DEMO_ACCOUNTS, ...DEMO_PLAN_STATE_ACCOUNTS]) {
    const account = await findAccountByEmail(env.DB, email)
    if (!account) continue
    accounts += 1
    ahead = Math.max(ahead, await callLedger(getLedgerStub(env, account.userId)))
  }
  return { accounts, ahead }
}
