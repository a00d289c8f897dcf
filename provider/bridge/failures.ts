import type { Context } from 'hono'
import { postFailure } from '../../contract/bridge/bridge-protocol.ts'
import { tooManyRequests } from '../platform/api-error.ts'
import { reportBridgeFailure } from '../telemetry/error-reporting.ts'
import type { BridgeEnv } from './authenticate-bridge.ts'
import { readBody } from './served-homes.ts'
import { HOUR_MS } from '../../contract/time-units.ts'

/**
 * Rate limit of error reports per bridge: several times the usual number, yet few compared to the reports that are
 * stored.
 */
const LIMIT = { count: 60, windowMs: HOUR_MS } as const

export async function addFailure(c: Context<BridgeEnv>): Promise<Response> {
  const now = Date.now()
  const { version, report } = readBody(c, postFailure)
  const guard = c.env.GUARDS.getByName(`failures:${c.get('bridgeId')}`)
  const waitMs = await guard.attempt('failures', LIMIT.count, LIMIT.windowMs, now)
  if (waitMs > 0) throw tooManyRequests(waitMs)
  await reportBridgeFailure(c.env, report, version, now)
  return c.json({ code: 200 })
}
