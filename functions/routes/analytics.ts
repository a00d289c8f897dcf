import { Hono } from 'hono'
import * as v from 'valibot'
import { BODY_BYTES_MAX, readText } from '../../contract/wire/body-limits.ts'
import { ANALYTICS_API_KEY } from '../../contract/telemetry/analytics-events.ts'
import { analyticsBatch, ANALYTICS_BATCH_MAX } from '../../contract/telemetry/telemetry-calls.ts'
import { peekSession } from '../lib/auth/session-access.ts'
import { EdgeError } from '../lib/edge-error.ts'
import type { EdgeContext, EdgeEnv } from '../lib/edge-context.ts'
import { isFromPortalPage } from '../lib/security/csrf.ts'
import {
  fetchExperiment,
  buildFlags,
  parseExperimentUser,
  buildVariants,
} from '../lib/telemetry/experiment-variants.ts'
import { parseJson } from '../lib/parse-json.ts'
import { filterAnalyticsEvents } from '../lib/telemetry/filter-analytics-events.ts'
import { forwardAnalyticsEvents } from '../lib/telemetry/forward-analytics.ts'
import { sampleEvents } from '../lib/telemetry/sample-events.ts'

/**
 * Routes for analytics and the experiment, in the formats of Amplitude's libraries (CALL-67 to CALL-70). The
 * response to a batch of events does not wait for the sink, and does not say whether the sink accepts the events.
 */
export const analyticsRoutes = new Hono<EdgeEnv>()
  .post('/events', async (c) => {
    if (!isFromPortalPage(c)) throw new EdgeError(403, 'Only this portal can send events to this endpoint.', 'csrf')
    const events = await readBatch(c)
    const { BUILD_ID: build, experimentKey: experiment, analyticsSampleRate } = c.var.settings
    const user = (await peekSession(c))?.userId ?? ''
    const filtered = filterAnalyticsEvents(events, { now: Date.now(), build, experiment, user })
    forwardAnalyticsEvents(c, sampleEvents(filtered, analyticsSampleRate))
    return c.json({ code: 200 })
  })
  .get('/config/:key', (c) => {
    if (c.req.param('key') !== ANALYTICS_API_KEY) throw createWrongKeyError()
    // The configuration is empty, because the pages decide what they measure.
    return c.json({ configs: { analyticsSDK: { browserSDK: {} } } })
  })
  .get('/experiment/sdk/v2/flags', async (c) => {
    requireApiKey(c)
    const { experiment, experimentKey } = c.var.settings
    const anonymousVisitor = { user_id: '', device_id: '' }
    return c.json(experiment ? await fetchExperiment(experiment, 'flags', anonymousVisitor) : buildFlags(experimentKey))
  })
  .get('/experiment/sdk/v2/vardata', async (c) => {
    requireApiKey(c)
    const visitor = parseExperimentUser(c.req.header('x-amp-exp-user'))
    const { experiment, experimentKey } = c.var.settings
    return c.json(
      experiment ? await fetchExperiment(experiment, 'vardata', visitor) : buildVariants(experimentKey, visitor),
    )
  })

async function readBatch(c: EdgeContext): Promise<readonly unknown[]> {
  const parsed = v.safeParse(analyticsBatch.request, parseJson(await readText(c.req.raw, BODY_BYTES_MAX.events)))
  if (!parsed.success) throw new EdgeError(400, 'This isn’t a valid batch of events.')
  if (parsed.output.api_key !== ANALYTICS_API_KEY) throw createWrongKeyError()
  // Pages send smaller batches.
  if (parsed.output.events.length > ANALYTICS_BATCH_MAX)
    throw new EdgeError(413, `This batch is too large. Send at most ${ANALYTICS_BATCH_MAX} events.`)
  return parsed.output.events
}

function requireApiKey(c: EdgeContext): void {
  if (c.req.header('authorization') !== `Api-Key ${ANALYTICS_API_KEY}`) throw createWrongKeyError()
}

const createWrongKeyError = () => new EdgeError(401, 'This key isn’t valid for this portal.')
