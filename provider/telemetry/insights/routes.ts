import type { Hono } from 'hono'
import { ADMIN_PATHS } from '../../../contract/operator/operator-calls.ts'
import { INSIGHT_DAYS_MAX, type InsightsReport } from '../../../contract/telemetry/insights-report.ts'
import { requireOperator } from '../../platform/auth/require-operator.ts'
import { badRequest } from '../../platform/api-error.ts'
import type { AppEnv, Env } from '../../env.ts'
import { lastDays, type UtcSpan } from '../utc-days.ts'
import type { Measured } from './insights-report.ts'
import { getInsights } from './insights.ts'
import { formatMetrics } from './prometheus-metrics.ts'
import { countReports } from '../error-report-rows.ts'

/** Mounts the operator's analytics report: JSON, and Prometheus text for a dashboard. */
export function insightsRoutes(app: Hono<AppEnv>): void {
  app.get(ADMIN_PATHS.insights, requireOperator, async (c) => {
    const days = Number(c.req.query('days') ?? 1)
    if (!Number.isInteger(days) || days < 1 || days > INSIGHT_DAYS_MAX)
      throw badRequest(`Give days as a whole number from 1 to ${INSIGHT_DAYS_MAX}.`)
    const span = lastDays(days, Date.now())
    return c.json({ code: 200, data: await whole(c.env, span, await getInsights(c.env).report(span)) })
  })

  app.get(ADMIN_PATHS.metrics, requireOperator, async (c) => {
    const now = Date.now()
    const report = await whole(c.env, lastDays(1, now), await getInsights(c.env).today(now))
    return c.text(formatMetrics(report), 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
  })
}

/** Adds errors and the hosts of external services to the event part of the report. */
async function whole(env: Env, span: UtcSpan, measured: Measured): Promise<InsightsReport> {
  const elsewhere = { events: parseHost(env.ANALYTICS_ENDPOINT), errors: parseHost(env.SENTRY_DSN) }
  return { ...measured, errors: await countReports(env.DB, span), elsewhere }
}

/** Returns only the host, because a DSN contains a key. */
const parseHost = (address: string | undefined): string | null =>
  address !== undefined && URL.canParse(address) ? new URL(address).host : null
