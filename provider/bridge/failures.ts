import type { Context } from 'hono'
import { postFailureRequest } from '../../contract/bridge/bridge-protocol.ts'
import { tooManyRequests } from '../platform/api-error.ts'
import { reportBridgeFailure } from '../telemetry/error-reporting.ts'
import type { BridgeEnv } from './authenticate-bridge.ts'
import { readBody } from './served-homes.ts'
import { HOUR_MS } from '../../contract/time-units.ts'

/**
 * Rate limit of error reports per bridge: far above normal use, and far below the number of reports that are stored.
 */
const FAILURE_REPORT_LIMIT = { count: 60, windowMs: HOUR_MS } as const

export async function addFailure(c: Context<BridgeEnv>): Promise<Response> {
  const now = Date.now()
  const { version, report } = readBody(c, postFailureRequest)
  const guard = c.env.GUARDS.getByName(`failures:${c.get('bridgeId')}`)
  const waitMs = await guard.countAttempt('failures', FAILURE_REPORT_LIMIT.count, FAILURE_REPORT_LIMIT.windowMs, now)
  if (waitMs > 0) throw tooManyRequests(waitMs)
  await reportBridgeFailure(c.env, report, version, now)
  return c.json({ code: 200 })
}
