import { createHmac } from 'node:crypto'
import type { Hono } from 'hono'
import * as v from 'valibot'
import { ADMIN_PATHS } from '../../contract/operator/operator-calls.ts'
import { BODY_BYTES_MAX, readText } from '../../contract/wire/body-limits.ts'
import { SIGNATURE_HEADER } from '../../contract/environment.ts'
import { maskValue } from '../../contract/telemetry/mask-secrets.ts'
import { REVENUE_PATH, formatSignedVisit } from '../../contract/telemetry/visits.ts'
import {
  analyticsBatch,
  formatSignedBatch,
  errorReport,
  errorReports,
  analyticsEventBatch,
  REPORT_AGE_MAX_MS,
  REPORT_TIME_HEADER,
  formatSignedReport,
  revenueVisit,
  type ErrorReport,
} from '../../contract/telemetry/telemetry-calls.ts'
import { mediaKeys } from '../platform/crypto/rotating-keys.ts'
import { requireOperator } from '../platform/auth/require-operator.ts'
import type { AppEnv, Env } from '../env.ts'
import { isEqualConstantTime } from '../platform/crypto/constant-time-equal.ts'
import { forbidden, badRequest, notFound } from '../platform/api-error.ts'
import { getArchive, storeEvents } from './insights/insights-objects.ts'
import { listErrorReports } from './error-report-rows.ts'
import { storeErrorReport } from './store-error-report.ts'
import { hasFewVisits, storeVisit } from './visit-rows.ts'

const BUILD_PATTERN = /^[\w.-]{1,64}$/

/**
 * Mounts the calls that store error reports, analytics events and visits. Only the edge may send these calls. Also
 * mounts the operator call that lists error reports.
 */
export function telemetryRoutes(app: Hono<AppEnv>): void {
  app.post(errorReports.path, async (c) => {
    const now = Date.now()
    const body = await readText(c.req.raw, BODY_BYTES_MAX.report)
    const build = c.req.header('app-version') ?? ''
    const sentAt = c.req.header(REPORT_TIME_HEADER) ?? ''
    requireEdgeSignature(c.env, c.req.header(SIGNATURE_HEADER), formatSignedReport(body, build, sentAt))
    if (!(Math.abs(now - Number(sentAt)) <= REPORT_AGE_MAX_MS)) throw forbidden()
    const report = v.safeParse(errorReport, maskValue(parseJson(body)))
    if (!report.success || !BUILD_PATTERN.test(build)) throw badRequest('The report is malformed.')
    await storeErrorReport(c.env, report.output satisfies ErrorReport, build, now)
    return c.json({ code: 200 })
  })

  app.post(analyticsBatch.path, async (c) => {
    const body = await readText(c.req.raw, BODY_BYTES_MAX.measured)
    requireEdgeSignature(c.env, c.req.header(SIGNATURE_HEADER), formatSignedBatch(body))
    const batch = v.safeParse(analyticsEventBatch, maskValue(parseJson(body)))
    if (!batch.success) throw badRequest('The batch is malformed.')
    const { events, sample_rate } = batch.output
    return c.json({ code: 200, data: { added: await storeEvents(c.env, events, sample_rate, Date.now()) } })
  })

  app.post(REVENUE_PATH, async (c) => {
    if (!c.env.REVENUE_TOKEN) throw notFound()
    const body = await readText(c.req.raw, BODY_BYTES_MAX.revenue)
    requireEdgeSignature(c.env, c.req.header(SIGNATURE_HEADER), formatSignedVisit(body))
    const visit = v.safeParse(revenueVisit, parseJson(body))
    if (!visit.success) throw badRequest('The visit report is malformed.')
    const now = Date.now()
    if ((await storeVisit(c.env, visit.output.person, now)) && (await hasFewVisits(c.env.DB, now)))
      await getArchive(c.env).scheduleCleanup(now)
    return c.json({ code: 200 })
  })

  app.get(ADMIN_PATHS.errors, requireOperator, async (c) =>
    c.json({ code: 200, data: { errors: await listErrorReports(c.env.DB, Date.now()) } }),
  )
}

/** Throws 403 unless the edge of the portal signed the content. */
function requireEdgeSignature(env: Env, signature: string | undefined, content: string): void {
  const signContent = (key: string) => createHmac('sha256', key).update(content).digest('hex')
  if (!mediaKeys(env).some((key) => isEqualConstantTime(signature ?? '', signContent(key)))) throw forbidden()
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw badRequest('The body isn’t JSON.')
  }
}
