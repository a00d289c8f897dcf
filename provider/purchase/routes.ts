import type { Hono } from 'hono'
import { activate } from '../../contract/bind.ts'
import { createPurchase, previewPurchase, processTask, updatePurchase } from '../../contract/purchase.ts'
import type { AppEnv } from '../env.ts'
import { serve } from '../http/serve.ts'
import { granted, ledgerOf } from '../ledger/refusal.ts'
import { buy, preview } from './buy.ts'
import { ownCameras } from './own-cameras.ts'

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
  serve(app, activate, async ({ c, env, account: { userId }, input, now }) => {
    const own = await ownCameras(env, userId)
    const devices = granted(await ledgerOf(env, userId).bind(input.subscription_id, input.device_macs, own, now))
    const data = { devices: [...devices] }
    return devices.every(({ bound }) => bound) ? data : c.json({ code: 4301, data })
  })
}
