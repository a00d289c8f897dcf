import type { Hono } from 'hono'
import { createPurchase, previewPurchase, processTask, updatePurchase } from '../../../contract/billing/purchase.ts'
import type { AppEnv } from '../../env.ts'
import { serve } from '../../platform/http/serve-call.ts'
import { granted, ledgerOf } from '../ledger/ledger-stub.ts'
import { bindRoutes } from '../licenses/routes.ts'
import { buy, preview } from './purchase-handlers.ts'

/** Mounts the calls that buy, and that bind what was bought. */
export function purchaseRoutes(app: Hono<AppEnv>): void {
  serve(app, previewPurchase, ({ env, account: { userId }, input, now }) => preview(env, { userId, now }, input))
  serve(app, createPurchase, ({ env, account: { userId }, input, now }) => buy(env, { userId, now }, input, null))
  serve(app, updatePurchase, ({ env, account: { userId }, input, now }) =>
    buy(env, { userId, now }, input, input.change),
  )
  serve(app, processTask, async ({ env, account, input, now }) =>
    granted(await ledgerOf(env, account.userId).task(input.process_id, now)),
  )
  bindRoutes(app)
}
