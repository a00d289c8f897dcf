import type { Hono } from 'hono'
import { activate, getAutoCover, transferLicense, setAutoCover, unbind } from '../../../contract/billing/licenses.ts'
import type { AppEnv } from '../../env.ts'
import { serveCall } from '../../platform/http/serve-call.ts'
import { unwrapLedgerResult, ledgerStub } from '../ledger/ledger-stub.ts'
import { ownCameras } from '../../homes/members/owned-cameras.ts'

export function bindRoutes(app: Hono<AppEnv>): void {
  serveCall(app, activate, async ({ c, env, account: { userId }, input, now }) => {
    const own = await ownCameras(env, userId)
    const devices = unwrapLedgerResult(
      await ledgerStub(env, userId).bind(input.subscription_id, input.device_macs, own, now),
    )
    const data = { devices: [...devices] }
    return devices.every(({ bound }) => bound) ? data : c.json({ code: 4301, data })
  })
  serveCall(app, unbind, async ({ env, account: { userId }, input, now }) => {
    const { subscription_id, device_macs: devices, intent } = input
    const own = await ownCameras(env, userId)
    const answer = await ledgerStub(env, userId).unbind({ intent, subscription_id, devices, own }, now)
    return { devices: [...unwrapLedgerResult(answer)] }
  })
  serveCall(app, transferLicense, async ({ env, account: { userId }, input, now }) => {
    const { subscription_id, from, to, intent } = input
    const own = await ownCameras(env, userId)
    const answer = await ledgerStub(env, userId).transferLicense({ intent, subscription_id, from, to, own }, now)
    return { devices: [...unwrapLedgerResult(answer)] }
  })
  serveCall(app, getAutoCover, async ({ env, account, now }) => ({
    on: await ledgerStub(env, account.userId).autoCover(now),
  }))
  serveCall(app, setAutoCover, async ({ env, account, input: { on, intent }, now }) => ({
    on: unwrapLedgerResult(await ledgerStub(env, account.userId).setAutoCover({ intent, on }, now)),
  }))
}
