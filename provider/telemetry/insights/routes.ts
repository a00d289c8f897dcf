import type { Hono } from 'hono'
import { ADMIN_PATHS } from '../../../contract/operator/operator-calls.ts'
import { INSIGHT_DAYS_MAX, type InsightsReport } from '../../../contract/telemetry/insights-report.ts'
import { requireOperator } from '../../platform/auth/require-operator.ts'
import { badRequest } from '../../platform/api-error.ts'
import type { AppEnv, Env } from '../../env.ts'
import { getLastDaysSpan, type UtcSpan } from '../utc-days.ts'
import { buildEventReport } from './merged-report.ts'
import { formatMetrics } from './prometheus-metrics.ts'
import { countErrorReports } from '../error-report-rows.ts'

/** Mounts the analytics report for the operator: as JSON, and as Prometheus text for a dashboard. */
export function insightsRoutes(app: Hono<AppEnv>): void {
  app.get(ADMIN_PATHS.insights, requireOperator, async (c) => {
    const days = Number(c.req.query('days') ?? 1)
    if (!Number.isInteger(days) || days < 1 || days > INSIGHT_DAYS_MAX)
      throw badRequest(`Days must be a whole number from 1 to ${INSIGHT_DAYS_MAX}.`)
    const span = getLastDaysSpan(days, Date.now())
    return c.json({ code: 200, data: await completeReport(c.env, span, null) })
  })

  app.get(ADMIN_PATHS.metrics, requireOperator, async (c) => {
    const now = Date.now()
    const report = await completeReport(c.env, getLastDaysSpan(1, now), now)
    return c.text(formatMetrics(report), 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
  })
}

/** `cachedAt`: ms UTC; counted events may then be up to a minute old. */
async function completeReport(env: Env, span: UtcSpan, cachedAt: number | null): Promise<InsightsReport> {
  const elsewhere = { events: parseHost(env.ANALYTICS_ENDPOINT), errors: parseHost(env.SENTRY_DSN) }
  const [eventReport, errors] = await Promise.all([
    buildEventReport(env, span, cachedAt),
    countErrorReports(env.DB, span),
  ])
  return { ...eventReport, errors, elsewhere }
}

/** Returns only the host, because a DSN contains a key. */
const parseHost = (url: string | undefined): string | null =>
  url !== undefined && URL.canParse(url) ? new URL(url).host : null
