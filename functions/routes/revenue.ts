import { Hono } from 'hono'
import * as v from 'valibot'
import { BODY_MAX, readText } from '../../contract/body.ts'
import { REVENUE_PATH, revenueContent } from '../../contract/revenue.ts'
import { revenueStart } from '../../contract/telemetry.ts'
import { EdgeRefusal, notFound } from '../lib/answers.ts'
import type { EdgeEnv } from '../lib/context.ts'
import { isOwnPage } from '../lib/csrf.ts'
import { jsonOf } from '../lib/json.ts'
import { forProvider, handOn } from '../lib/sink.ts'

/**
 * The sink of the tracking of subscription revenue (ANALYTICS-01). It is told the hash of an e-mail, never the e-mail, and a page
 * neither sees nor waits for what becomes of it.
 */
export const revenue = new Hono<EdgeEnv>().post('/revenue', async (c) => {
  if (!isOwnPage(c)) throw new EdgeRefusal(403, 'This address takes visits of this portal only.', 'csrf')
  const { settings } = c.var
  if (settings.revenueToken === null) throw notFound()
  const parsed = v.safeParse(revenueStart, jsonOf(await readText(c.req.raw, BODY_MAX.revenue)))
  if (!parsed.success) throw new EdgeRefusal(400, 'This is no visit.')
  const { token, person } = parsed.output
  if (token !== settings.revenueToken) throw new EdgeRefusal(401, 'This is no token of this portal.')
  const body = JSON.stringify({ person })
  handOn(c, 'Visits', forProvider(settings, REVENUE_PATH, body, revenueContent(body)))
  return c.body(null, 204)
})
