import { Hono } from 'hono'
import { BodyTooLargeError } from '../contract/wire/body-limits.ts'
import { maskText } from '../contract/telemetry/mask-secrets.ts'
import { createNotFoundError, EdgeError, sendEdgeError } from './lib/edge-error.ts'
import type { EdgeContext, EdgeEnv } from './lib/edge-context.ts'
import { checkCsrf, PLAIN_FORM_ROUTES, isFormRequest } from './lib/security/csrf.ts'
import { readSettings } from './lib/settings.ts'
import { renderErrorPage } from './lib/error-page.ts'
import { limitRequests } from './lib/security/rate-limit.ts'
import { reportEdgeFailure } from './lib/telemetry/error-reports.ts'
import { assignRequestId } from './lib/telemetry/request-id.ts'
import { setEdgeSecurityHeaders } from './lib/security/security-headers.ts'
import { traceEdgeRequest } from './lib/telemetry/tracing.ts'
import { authRoutes } from './routes/auth.ts'
import { gateway } from './routes/gateway.ts'
import { healthRoutes } from './routes/health.ts'
import { analyticsRoutes } from './routes/analytics.ts'
import { mediaRoutes } from './routes/media.ts'
import { documentRoutes } from './routes/documents.ts'
import { paymentReturnRoutes } from './routes/payment.ts'
import { redirectRoutes } from './routes/redirect.ts'
import { revenueVisitRoutes } from './routes/visits.ts'
import { errorReportRoutes } from './routes/error-reports.ts'

/**
 * Edge Worker: serves the requests that the portal's pages send to their own origin. Documents are static assets, so
 * only requests for URLs without a file reach the Worker.
 */
export const app = new Hono<EdgeEnv>()

app.route('/', documentRoutes)
app.use(setEdgeSecurityHeaders)
app.use(assignRequestId)
app.use(async (c, next) => {
  const result = readSettings(c.env)
  if (!result.ok) throw new EdgeError(503, result.problem)
  c.set('settings', result.settings)
  await next()
})
app.use('/api/*', traceEdgeRequest, limitRequests('REQUESTS'), checkCsrf)
app.use('/m/*', limitRequests('PICTURES'))
app.use('/t/*', limitRequests('MEASURED'))
app.use('/t/errors', limitRequests('REPORTS'))

app.route('/api/auth', authRoutes)
app.route('/api/redirect', redirectRoutes)
app.route('/api/payment', paymentReturnRoutes)
app.route('/api/p', gateway)
app.route('/m', mediaRoutes)
app.route('/t', errorReportRoutes)
app.route('/t', analyticsRoutes)
app.route('/t', revenueVisitRoutes)
app.route('/healthz', healthRoutes)

app.notFound((c: EdgeContext) => sendEdgeError(c, createNotFoundError()))
app.onError((error, c) => {
  if (error instanceof EdgeError) return respondToError(c, error)
  if (error instanceof BodyTooLargeError) return respondToError(c, new EdgeError(413, error.message))
  const { requestId, settings } = c.var
  const request = `request ${requestId}, build ${settings?.BUILD_ID ?? 'unknown'}`
  console.error(`${c.req.method} ${c.req.path} failed (${request}): ${error.name}: ${maskText(error.message)}`)
  reportEdgeFailure(c, error)
  return respondToError(c, new EdgeError(500, 'There was a problem with the server. Try again later.'))
})

/**
 * Returns an HTML error page for the portal's own no-JS form posts. Returns JSON for all other requests, including form
 * posts that fail the CSRF check.
 */
function respondToError(c: EdgeContext, edgeError: EdgeError): Response | Promise<Response> {
  const isOwnForm = isFormRequest(c) && PLAIN_FORM_ROUTES.includes(c.req.path) && edgeError.code !== 'csrf'
  return isOwnForm ? renderErrorPage(c, edgeError) : sendEdgeError(c, edgeError)
}
