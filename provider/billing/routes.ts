import type { Hono } from 'hono'
import { getLedger } from '../../contract/billing/payment-methods-and-invoices.ts'
import { batchGetBindings } from '../../contract/billing/licenses.ts'
import { getSubscriptions } from '../../contract/billing/subscriptions.ts'
import type { AppEnv } from '../env.ts'
import { forbidden } from '../platform/api-error.ts'
import { serveCall, serveCallWithAccess } from '../platform/http/serve-call.ts'
import { getLedgerStub } from './ledger/ledger-stub.ts'
import { listLicenseAssignments } from './licenses/license-assignments.ts'
import { findRestoredAccount } from './payment/restored-accounts.ts'
import { listSubscriptions } from './plans/subscription-rows.ts'

export function billingRoutes(app: Hono<AppEnv>): void {
  serveCall(app, getSubscriptions, async ({ env, account, params, now }) => {
    if (params['uuid'] !== account.userId) throw forbidden()
    const [subscriptions, restored] = await Promise.all([
      listSubscriptions(env.DB, account.userId, now),
      findRestoredAccount(env, account.userId),
    ])
    return { subscriptions, ...(restored !== null && { is_on_hold: true }) }
  })
  serveCallWithAccess(app, batchGetBindings, async ({ env, access, input, now }) => ({
    bindings: await listLicenseAssignments(env, access, input.device_macs, now),
  }))
  serveCall(app, getLedger, async ({ env, account, input, now }) =>
    getLedgerStub(env, account.userId).listStatementEntries(Number(input.after ?? 0), now),
  )
}
