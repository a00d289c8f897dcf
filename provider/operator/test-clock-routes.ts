import type { Hono } from 'hono'
import * as v from 'valibot'
import { ADMIN_PATHS, moveClockRequest } from '../../contract/operator/operator-calls.ts'
import { DEMO_ACCOUNTS, DEMO_PLAN_STATE_ACCOUNTS } from '../../contract/operator/demo-accounts.ts'
import { findAccountByEmail } from '../accounts/account-rows.ts'
import { requireOperator } from '../platform/auth/require-operator.ts'
import { forbidden, badRequest } from '../platform/api-error.ts'
import { isLocalDeployment } from '../platform/local-deployment.ts'
import type { AppEnv, Env } from '../env.ts'
import { readCallInput } from '../platform/http/read-call-input.ts'
import { getLedgerStub } from '../billing/ledger/ledger-stub.ts'

/** Mounts the calls of `npm run clock`, which move only the test clocks of demo ledgers. */
export function testClockRoutes(app: Hono<AppEnv>): void {
  app.get(ADMIN_PATHS.clock, requireOperator, async (c) => {
    return c.json({ code: 200, data: await forEachDemoLedger(c.env, (ledger) => ledger.moveClock(0, Date.now())) })
  })
  app.post(ADMIN_PATHS.clock, requireOperator, async (c) => {
    if (c.env.DEMO !== '1' || !isLocalDeployment(c.env))
      throw forbidden('The clock is moved only where portal and provider are reached at this machine alone.')
    const input = v.safeParse(moveClockRequest, (await readCallInput(c)).payload)
    if (!input.success) throw badRequest('The clock goes forward only, by three years at most at a time.')
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
