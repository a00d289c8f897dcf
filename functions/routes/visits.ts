import { createHash } from 'node:crypto'
import { Hono } from 'hono'
import * as v from 'valibot'
import { BODY_MAX, readText } from '../../contract/wire/body-limits.ts'
import { REVENUE_PATH, revenueContent } from '../../contract/telemetry/visits.ts'
import { revenueStart } from '../../contract/telemetry/telemetry-calls.ts'
import { peekSession } from '../lib/auth/session-access.ts'
import { EdgeError, notFound, signedOut } from '../lib/edge-error.ts'
import type { EdgeEnv } from '../lib/edge-context.ts'
import { isOwnPage } from '../lib/security/csrf.ts'
import { parseJson } from '../lib/parse-json.ts'
import { forProvider, sendToSink } from '../lib/telemetry/send-to-sink.ts'

/**
 * Sink of subscription revenue tracking (ANALYTICS-01). The sink gets the hash of the signed-in account's email, never
 * the email; a page neither sees nor waits for the result. Other hashes are rejected: the token is public in
 * `/config.json`, and made-up hashes could use up the daily limit. An unconfirmed address counts as no visit
 * (OPEN-181).
 */
export const revenue = new Hono<EdgeEnv>().post('/revenue', async (c) => {
  if (!isOwnPage(c)) throw new EdgeError(403, 'This address takes visits of this portal only.', 'csrf')
  const { settings } = c.var
  if (settings.revenueToken === null) throw notFound()
  const parsed = v.safeParse(revenueStart, parseJson(await readText(c.req.raw, BODY_MAX.revenue)))
  if (!parsed.success) throw new EdgeError(400, 'This is no visit.')
  const { token, person } = parsed.output
  if (token !== settings.revenueToken) throw new EdgeError(401, 'This is no token of this portal.')
  const session = await peekSession(c)
  if (!session) throw signedOut()
  if (person !== hashEmail(session.email)) throw new EdgeError(403, 'This is not who is signed in.')
  if (!session.isEmailConfirmed) return c.body(null, 204)
  const body = JSON.stringify({ person })
  sendToSink(c, 'Visits', forProvider(settings, REVENUE_PATH, body, revenueContent(body)))
  return c.body(null, 204)
})

/** Hashes an email by the same rule as the pages do (contract/telemetry/visits.ts). */
const hashEmail = (email: string) => createHash('sha256').update(email.trim().toLowerCase()).digest('hex')
