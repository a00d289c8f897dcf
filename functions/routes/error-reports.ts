import { Hono } from 'hono'
import * as v from 'valibot'
import { BODY_BYTES_MAX, readText } from '../../contract/wire/body-limits.ts'
import { maskValue } from '../../contract/telemetry/mask-secrets.ts'
import { errorReport } from '../../contract/telemetry/telemetry-calls.ts'
import { EdgeError } from '../lib/edge-error.ts'
import type { EdgeContext, EdgeEnv } from '../lib/edge-context.ts'
import { isFromPortalPage } from '../lib/security/csrf.ts'
import { parseJson } from '../lib/parse-json.ts'
import { forwardReport, isErrorReportingOn, maskReportUrls } from '../lib/telemetry/error-reports.ts'

/**
 * `/t/errors`: receives error reports of pages. A beacon cannot carry a custom header and changes no data of a user, so
 * its `Origin` is sufficient proof.
 */
export const errorReportRoutes = new Hono<EdgeEnv>().post('/errors', async (c) => {
  if (!isFromPortalPage(c)) throw new EdgeError(403, 'Only this portal can send reports to this endpoint.', 'csrf')
  const report = await readReport(c)
  if (isErrorReportingOn(c.var.settings)) forwardReport(c, { ...report, from: 'browser' })
  return c.body(null, 204)
})

/** Masks the report before it is validated, because unmasked secrets could make the report invalid. */
async function readReport(c: EdgeContext) {
  const text = await readText(c.req.raw, BODY_BYTES_MAX.report)
  const parsed = v.safeParse(errorReport, maskValue(parseJson(text)))
  if (!parsed.success) throw new EdgeError(400, 'This isn’t a valid error report.')
  return maskReportUrls(parsed.output)
}
