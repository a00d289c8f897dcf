import type { Hono } from 'hono'
import { createPurchase, previewPurchase, processTask, updatePurchase } from '../../../contract/billing/purchase.ts'
import type { AppEnv } from '../../env.ts'
import { serveCall } from '../../platform/http/serve-call.ts'
import { unwrapLedgerResult, ledgerStub } from '../ledger/ledger-stub.ts'
import { bindRoutes } from '../licenses/routes.ts'
import { buy, preview } from './purchase-handlers.ts'

export function purchaseRoutes(app: Hono<AppEnv>): void {
  serveCall(app, previewPurchase, ({ env, account: { userId }, input, now }) => preview(env, { userId, now }, input))
  serveCall(app, createPurchase, ({ env, account: { userId }, input, now }) => buy(env, { userId, now }, input, null))
  serveCall(app, updatePurchase, ({ env, account: { userId }, input, now }) =>
    buy(env, { userId, now }, input, input.change),
  )
  serveCall(app, processTask, async ({ env, account, input, now }) =>
    unwrapLedgerResult(await ledgerStub(env, account.userId).task(input.process_id, now)),
  )
  bindRoutes(app)
}
