import { Hono } from 'hono'
import * as v from 'valibot'
import { BODY_MAX, readText } from '../../contract/wire/body-limits.ts'
import { maskValue } from '../../contract/telemetry/mask-secrets.ts'
import { errorReport } from '../../contract/telemetry/telemetry-calls.ts'
import { EdgeError } from '../lib/edge-error.ts'
import type { EdgeContext, EdgeEnv } from '../lib/edge-context.ts'
import { isOwnPage } from '../lib/security/csrf.ts'
import { parseJson } from '../lib/parse-json.ts'
import { forwardReport, isErrorReportingOn, withoutAddresses } from '../lib/telemetry/error-reports.ts'

/**
 * `/t/*`: first-party telemetry of the pages. A beacon has no custom header and changes no one's data, so its origin is
 * sufficient proof.
 */
export const telemetry = new Hono<EdgeEnv>().post('/errors', async (c) => {
  if (!isOwnPage(c)) throw new EdgeError(403, 'This address takes reports of this portal only.', 'csrf')
  const report = await readReport(c)
  if (isErrorReportingOn(c.var.settings)) forwardReport(c, { ...report, from: 'browser' })
  return c.body(null, 204)
})

/** Validates the report after masking, so that content which masking removes cannot make it invalid. */
async function readReport(c: EdgeContext) {
  const text = await readText(c.req.raw, BODY_MAX.report)
  const parsed = v.safeParse(errorReport, maskValue(parseJson(text)))
  if (!parsed.success) throw new EdgeError(400, 'This is no error report.')
  return withoutAddresses(parsed.output)
}
