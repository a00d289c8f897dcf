import { createHash } from 'node:crypto'
import { Hono } from 'hono'
import * as v from 'valibot'
import { BODY_BYTES_MAX, readText } from '../../contract/wire/body-limits.ts'
import { REVENUE_PATH, formatSignedVisit } from '../../contract/telemetry/visits.ts'
import { revenueVisitReport } from '../../contract/telemetry/telemetry-calls.ts'
import { peekSession } from '../lib/auth/session-access.ts'
import { EdgeError, createNotFoundError, createSignedOutError } from '../lib/edge-error.ts'
import type { EdgeEnv } from '../lib/edge-context.ts'
import { isFromPortalPage } from '../lib/security/csrf.ts'
import { parseJson } from '../lib/parse-json.ts'
import { buildSignedRequest, sendToSink } from '../lib/telemetry/send-to-sink.ts'

/**
 * Receives visits for subscription revenue tracking (ANALYTICS-01): hashes of emails, never emails. Rejects hashes that
 * are not of the signed-in account's email, because made-up hashes could use up the daily limit. Ignores unconfirmed
 * addresses (OPEN-181).
 */
export const revenueVisitRoutes = new Hono<EdgeEnv>().post('/revenue', async (c) => {
  if (!isFromPortalPage(c)) throw new EdgeError(403, 'Only this portal can send visits to this endpoint.', 'csrf')
  const { settings } = c.var
  if (settings.revenueToken === null) throw createNotFoundError()
  const parsed = v.safeParse(revenueVisitReport, parseJson(await readText(c.req.raw, BODY_BYTES_MAX.revenue)))
  if (!parsed.success) throw new EdgeError(400, 'The visit report is malformed.')
  const { token, person } = parsed.output
  if (token !== settings.revenueToken) throw new EdgeError(401, 'This token isn’t valid for this portal.')
  const session = await peekSession(c)
  if (!session) throw createSignedOutError()
  if (person !== hashEmail(session.email)) throw new EdgeError(403, 'Another account is logged in.')
  if (!session.isEmailConfirmed) return c.body(null, 204)
  const body = JSON.stringify({ person })
  sendToSink(c, 'Visits', buildSignedRequest(settings, REVENUE_PATH, body, formatSignedVisit(body)))
  return c.body(null, 204)
})

/** Hashes an email by the same rule as the pages do (contract/telemetry/visits.ts). */
const hashEmail = (email: string) => createHash('sha256').update(email.trim().toLowerCase()).digest('hex')
