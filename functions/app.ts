import { Hono } from 'hono'
import { BodyTooLarge } from '../contract/wire/body-limits.ts'
import { maskText } from '../contract/telemetry/mask-secrets.ts'
import { notFound, EdgeError, refuse } from './lib/edge-error.ts'
import type { EdgeContext, EdgeEnv } from './lib/edge-context.ts'
import { csrf, FORMS, isForm } from './lib/security/csrf.ts'
import { readSettings } from './lib/settings.ts'
import { problemPage } from './lib/error-page.ts'
import { limited } from './lib/security/rate-limit.ts'
import { reportEdgeFailure } from './lib/telemetry/error-reports.ts'
import { requestIds } from './lib/telemetry/request-id.ts'
import { setEdgeSecurityHeaders } from './lib/security/security-headers.ts'
import { traceEdgeRequest } from './lib/telemetry/tracing.ts'
import { auth } from './routes/auth.ts'
import { gateway } from './routes/gateway.ts'
import { health } from './routes/health.ts'
import { measured } from './routes/analytics.ts'
import { media } from './routes/media.ts'
import { pages } from './routes/documents.ts'
import { payment } from './routes/payment.ts'
import { redirect } from './routes/redirect.ts'
import { revenue } from './routes/visits.ts'
import { telemetry } from './routes/error-reports.ts'

/**
 * Edge Worker: serves the requests that the portal's pages send to their own origin. Documents are static assets, so
 * only requests for URLs without a file reach the Worker.
 */
export const app = new Hono<EdgeEnv>()

app.route('/', pages)
app.use(setEdgeSecurityHeaders)
app.use(requestIds)
app.use(async (c, next) => {
  const result = readSettings(c.env)
  if (!result.ok) throw new EdgeError(503, result.problem)
  c.set('settings', result.settings)
  await next()
})
app.use('/api/*', traceEdgeRequest, limited('REQUESTS'), csrf)
app.use('/m/*', limited('PICTURES'))
app.use('/t/*', limited('MEASURED'))
app.use('/t/errors', limited('REPORTS'))

app.route('/api/auth', auth)
app.route('/api/redirect', redirect)
app.route('/api/payment', payment)
app.route('/api/p', gateway)
app.route('/m', media)
app.route('/t', telemetry)
app.route('/t', measured)
app.route('/t', revenue)
app.route('/healthz', health)

app.notFound((c: EdgeContext) => refuse(c, notFound()))
app.onError((error, c) => {
  if (error instanceof EdgeError) return answerTo(c, error)
  if (error instanceof BodyTooLarge) return answerTo(c, new EdgeError(413, error.message))
  const { requestId, settings } = c.var
  const request = `request ${requestId}, build ${settings?.BUILD_ID ?? 'unknown'}`
  console.error(`${c.req.method} ${c.req.path} failed (${request}): ${error.name}: ${maskText(error.message)}`)
  reportEdgeFailure(c, error)
  return answerTo(c, new EdgeError(500, 'There was a problem with the server. Please try again later.'))
})

/** The portal's own no-JS form posts get an HTML error page; everyone else gets JSON. */
function answerTo(c: EdgeContext, refusal: EdgeError): Response | Promise<Response> {
  const isOwnForm = isForm(c) && FORMS.includes(c.req.path) && refusal.code !== 'csrf'
  return isOwnForm ? problemPage(c, refusal) : refuse(c, refusal)
}
