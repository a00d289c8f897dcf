import type { Hono } from 'hono'
import { ADMIN_PATHS } from '../../contract/admin.ts'
import { INSIGHT_DAYS_MAX, type InsightsReport } from '../../contract/insights.ts'
import { mustBeOperator } from '../base/operator.ts'
import { malformed } from '../base/refusal.ts'
import type { AppEnv, Env } from '../env.ts'
import { insightsOf } from './insights.ts'
import { metricsOf } from './metrics.ts'
import { countReports } from './records.ts'

const DAY_MS = 86_400_000

/** Mounts what an operator is told of the measured pages: as JSON, and for a dashboard that reads Prometheus' text. */
export function insightsRoutes(app: Hono<AppEnv>): void {
  app.get(ADMIN_PATHS.insights, mustBeOperator, async (c) => {
    const days = Number(c.req.query('days') ?? 1)
    if (!Number.isInteger(days) || days < 1 || days > INSIGHT_DAYS_MAX)
      throw malformed(`Give days as a whole number from 1 to ${INSIGHT_DAYS_MAX}.`)
    return c.json({ code: 200, data: await lastDays(c.env, days) })
  })

  app.get(ADMIN_PATHS.metrics, mustBeOperator, async (c) =>
    c.text(metricsOf(await lastDays(c.env, 1)), 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }),
  )
}

/** What was measured in the last days, up to now. */
async function lastDays(env: Env, days: number): Promise<InsightsReport> {
  const now = Date.now()
  const span = { from: now - days * DAY_MS, to: now + 1 }
  const report = await insightsOf(env).report(span)
  return { ...report, errors: await countReports(env.DB, span.from) }
}
