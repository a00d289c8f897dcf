import type { Hono } from 'hono'
import { activate, getAutoCover, moveLicence, setAutoCover, unbind } from '../../../contract/billing/licenses.ts'
import type { AppEnv } from '../../env.ts'
import { serve } from '../../platform/http/serve-call.ts'
import { granted, ledgerOf } from '../ledger/ledger-stub.ts'
import { ownCameras } from '../../homes/members/owned-cameras.ts'

/** Mounts the calls that bind cameras to licences, free them and move them. */
export function bindRoutes(app: Hono<AppEnv>): void {
  serve(app, activate, async ({ c, env, account: { userId }, input, now }) => {
    const own = await ownCameras(env, userId)
    const devices = granted(await ledgerOf(env, userId).bind(input.subscription_id, input.device_macs, own, now))
    const data = { devices: [...devices] }
    return devices.every(({ bound }) => bound) ? data : c.json({ code: 4301, data })
  })
  serve(app, unbind, async ({ env, account: { userId }, input, now }) => {
    const { subscription_id, device_macs: devices, intent } = input
    const own = await ownCameras(env, userId)
    const answer = await ledgerOf(env, userId).unbind({ intent, subscription_id, devices, own }, now)
    return { devices: [...granted(answer)] }
  })
  serve(app, moveLicence, async ({ env, account: { userId }, input, now }) => {
    const { subscription_id, from, to, intent } = input
    const own = await ownCameras(env, userId)
    const answer = await ledgerOf(env, userId).moveLicence({ intent, subscription_id, from, to, own }, now)
    return { devices: [...granted(answer)] }
  })
  serve(app, getAutoCover, async ({ env, account, now }) => ({
    on: await ledgerOf(env, account.userId).autoCover(now),
  }))
  serve(app, setAutoCover, async ({ env, account, input: { on, intent }, now }) => ({
    on: granted(await ledgerOf(env, account.userId).setAutoCover({ intent, on }, now)),
  }))
}
