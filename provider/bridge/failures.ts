import type { Context } from 'hono'
import { postFailure } from '../../contract/bridge.ts'
import { tooOften } from '../base/refusal.ts'
import { takeFailure } from '../telemetry/failures.ts'
import type { BridgeEnv } from './authenticate.ts'
import { readBody } from './lookup.ts'

/** Reports that one bridge may send: several times what it sends by itself, and few beside what is kept. */
const LIMIT = { count: 60, windowMs: 3_600_000 } as const

/** Takes what a bridge itself failed at. */
export async function addFailure(c: Context<BridgeEnv>): Promise<Response> {
  const now = Date.now()
  const { version, report } = readBody(c, postFailure)
  const guard = c.env.GUARDS.getByName(`failures:${c.get('bridgeId')}`)
  const waitMs = await guard.attempt('failures', LIMIT.count, LIMIT.windowMs, now)
  if (waitMs > 0) throw tooOften(waitMs)
  await takeFailure(c.env, report, version, now)
  return c.json({ code: 200 })
}
