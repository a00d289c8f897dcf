import type { Hono } from 'hono'
import {
  activateLicenses,
  getAutoAssignment,
  transferLicense,
  setAutoAssignment,
  unassignLicenses,
} from '../../../contract/billing/licenses.ts'
import type { AppEnv } from '../../env.ts'
import { serveCall } from '../../platform/http/serve-call.ts'
import { unwrapLedgerResult, getLedgerStub } from '../ledger/ledger-stub.ts'
import { listAssignableCameras } from '../../homes/members/owned-cameras.ts'

export function licenseRoutes(app: Hono<AppEnv>): void {
  serveCall(app, activateLicenses, async ({ c, env, account: { userId }, input, now }) => {
    const own = await listAssignableCameras(env, userId)
    const devices = unwrapLedgerResult(
      await getLedgerStub(env, userId).assignLicenses(input.subscription_id, input.device_macs, own, now),
    )
    const data = { devices: [...devices] }
    return devices.every(({ bound }) => bound) ? data : c.json({ code: 4301, data })
  })
  serveCall(app, unassignLicenses, async ({ env, account: { userId }, input, now }) => {
    const { subscription_id, device_macs: devices, intent } = input
    const own = await listAssignableCameras(env, userId)
    const answer = await getLedgerStub(env, userId).unassignLicenses({ intent, subscription_id, devices, own }, now)
    return { devices: [...unwrapLedgerResult(answer)] }
  })
  serveCall(app, transferLicense, async ({ env, account: { userId }, input, now }) => {
    const { subscription_id, from, to, intent } = input
    const own = await listAssignableCameras(env, userId)
    const answer = await getLedgerStub(env, userId).transferLicense({ intent, subscription_id, from, to, own }, now)
    return { devices: [...unwrapLedgerResult(answer)] }
  })
  serveCall(app, getAutoAssignment, async ({ env, account, now }) => ({
    on: await getLedgerStub(env, account.userId).getAutoAssignment(now),
  }))
  serveCall(app, setAutoAssignment, async ({ env, account, input: { on, intent }, now }) => ({
    on: unwrapLedgerResult(await getLedgerStub(env, account.userId).setAutoAssignment({ intent, on }, now)),
  }))
}
