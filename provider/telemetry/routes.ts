import { createHmac } from 'node:crypto'
import type { Hono } from 'hono'
import * as v from 'valibot'
import { ADMIN_PATHS } from '../../contract/admin.ts'
import { BODY_MAX, readText } from '../../contract/body.ts'
import { SIGNATURE_HEADER } from '../../contract/environment.ts'
import { mask } from '../../contract/mask.ts'
import { errorReport, errorReports, reportContent, type ErrorReport } from '../../contract/telemetry.ts'
import { mediaKeys } from '../base/keys.ts'
import { mustBeOperator } from '../base/operator.ts'
import type { AppEnv } from '../env.ts'
import { sameSecret } from '../base/compare.ts'
import { forbidden, malformed } from '../base/refusal.ts'
import { keepReport, listReports } from './records.ts'

const BUILD = /^[\w.-]{1,64}$/

/** Mounts the first-party sink of error reports, which takes them from the edge only, and the operator's view of it. */
export function telemetryRoutes(app: Hono<AppEnv>): void {
  app.post(errorReports.path, async (c) => {
    const body = await readText(c.req.raw, BODY_MAX.report)
    const signedBy = (key: string) => createHmac('sha256', key).update(reportContent(body)).digest('hex')
    const signature = c.req.header(SIGNATURE_HEADER) ?? ''
    if (!mediaKeys(c.env).some((key) => sameSecret(signature, signedBy(key)))) throw forbidden()
    const build = c.req.header('app-version') ?? ''
    const report = v.safeParse(errorReport, mask(parse(body)))
    if (!report.success || !BUILD.test(build)) throw malformed('The report is malformed.')
    await keepReport(c.env.DB, report.output satisfies ErrorReport, build, Date.now())
    return c.json({ code: 200 })
  })

  app.get(ADMIN_PATHS.errors, mustBeOperator, async (c) =>
    c.json({ code: 200, data: { errors: await listReports(c.env.DB) } }),
  )
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw malformed('The report is not JSON.')
  }
}
