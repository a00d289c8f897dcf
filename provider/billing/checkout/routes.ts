import type { Hono } from 'hono'
import { createPurchase, previewPurchase, getPurchaseTask, updatePurchase } from '../../../contract/billing/purchase.ts'
import type { AppEnv } from '../../env.ts'
import { serveCall } from '../../platform/http/serve-call.ts'
import { unwrapLedgerResult, getLedgerStub } from '../ledger/ledger-stub.ts'
import { licenseRoutes } from '../licenses/routes.ts'
import { handlePurchase, handlePreview } from './purchase-handlers.ts'

export function purchaseRoutes(app: Hono<AppEnv>): void {
  serveCall(app, previewPurchase, ({ env, account: { userId }, input, now }) =>
    handlePreview(env, { userId, now }, input),
  )
  serveCall(app, createPurchase, ({ env, account: { userId }, input, now }) =>
    handlePurchase(env, { userId, now }, input, null),
  )
  serveCall(app, updatePurchase, ({ env, account: { userId }, input, now }) =>
    handlePurchase(env, { userId, now }, input, input.change),
  )
  serveCall(app, getPurchaseTask, async ({ env, account, input, now }) =>
    unwrapLedgerResult(await getLedgerStub(env, account.userId).advanceTask(input.process_id, now)),
  )
  licenseRoutes(app)
}
