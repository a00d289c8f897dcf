import type { Hono } from 'hono'
import { getBook } from '../../contract/billing/payment-methods-and-invoices.ts'
import { batchGetBindings } from '../../contract/billing/licenses.ts'
import { getSubscriptions } from '../../contract/billing/subscriptions.ts'
import type { AppEnv } from '../env.ts'
import { forbidden } from '../platform/api-error.ts'
import { serve } from '../platform/http/serve-call.ts'
import { ledgerOf } from './ledger/ledger-stub.ts'
import { bindingsOf } from './licenses/license-assignments.ts'
import { subscriptionsOf } from './plans/subscription-rows.ts'

/** Mounts the calls about plans and money. */
export function billingRoutes(app: Hono<AppEnv>): void {
  serve(app, getSubscriptions, async ({ env, account, params, now }) => {
    if (params['uuid'] !== account.userId) throw forbidden()
    return { subscriptions: await subscriptionsOf(env.DB, account.userId, now) }
  })
  serve(app, batchGetBindings, async ({ env, account, input, now }) => ({
    bindings: await bindingsOf(env, account.userId, input.device_macs, now),
  }))
  serve(app, getBook, async ({ env, account, input, now }) =>
    ledgerOf(env, account.userId).ownBook(Number(input.after ?? 0), now),
  )
}
