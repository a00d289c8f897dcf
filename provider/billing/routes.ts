import type { Hono } from 'hono'
import { getBook } from '../../contract/billing.ts'
import { batchGetBindings } from '../../contract/bind.ts'
import { getSubscriptions } from '../../contract/plans.ts'
import type { AppEnv } from '../env.ts'
import { forbidden } from '../base/refusal.ts'
import { serve } from '../http/serve.ts'
import { ledgerOf } from '../ledger/refusal.ts'
import { bindingsOf } from './bindings.ts'
import { subscriptionsOf } from './records.ts'

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
