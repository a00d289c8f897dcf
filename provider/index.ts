import { WorkerEntrypoint } from 'cloudflare:workers'
import { Hono } from 'hono'
import { activityRoutes } from './accounts/activity/routes.ts'
import { adminRoutes } from './operator/routes.ts'
import { billingRoutes } from './billing/routes.ts'
import { reconciliationRoutes } from './billing/reconciliation/routes.ts'
import { bridgeRoutes } from './bridge/routes.ts'
import { cameraRoutes } from './live/routes.ts'
import { cardApp, isCardPageRequest } from './billing/payment/card-page/card-app.ts'
import { collectorRoutes } from './telemetry/device-collector/routes.ts'
import { type AppEnv, type Env, describeMissingEnvironment } from './env.ts'
import { peopleRoutes } from './people/routes.ts'
import { homeRoutes } from './homes/routes.ts'
import { onError } from './platform/http/on-error.ts'
import { setProviderSecurityHeaders } from './platform/http/security-headers.ts'
import { notFound, ApiError } from './platform/api-error.ts'
import { hashLegacyIdsOnce } from './identity/oidc/hash-legacy-ids.ts'
import { identityRoutes } from './identity/routes.ts'
import { accountDeletionRoutes } from './identity/account-deletion/deletion-state-route.ts'
import { cancellationRoutes } from './billing/cancellation/routes.ts'
import { mailRoutes } from './notifications/pages/email-routes.ts'
import { mediaRoutes } from './media/routes.ts'
import { messageRoutes } from './notifications/routes.ts'
import { homeMonitoringRoutes } from './billing/checkout/home-monitoring-routes.ts'
import { stripeWebhookRoutes } from './billing/checkout/stripe-webhook.ts'
import { paymentRoutes } from './billing/checkout/payment-routes.ts'
import { purchaseRoutes } from './billing/checkout/routes.ts'
import { platformRoutes } from './accounts/settings/routes.ts'
import { searchRoutes } from './search/routes.ts'
import { couponRoutes } from './billing/coupons/routes.ts'
import { traceProviderRequest } from './telemetry/error-reporting.ts'
import { dataExportRoutes } from './accounts/data-export/routes.ts'
import { insightsRoutes } from './telemetry/insights/routes.ts'
import { telemetryRoutes } from './telemetry/routes.ts'
import { planSimulationRoutes } from './billing/plan-simulation/routes.ts'

export { ActivityLog } from './accounts/activity/activity-log.ts'
export { AccountGuard as Guard } from './accounts/access/account-guard.ts'
export { AccountLeave } from './accounts/deletion/account-deletion.ts'
export { Ledger } from './billing/ledger/ledger.ts'
export { EmbeddedGateway } from './billing/payment/embedded/embedded-gateway.ts'
export { Bridge } from './bridge/bridge.ts'
export { Camera } from './live/camera.ts'
export { Home } from './homes/home.ts'
export { Mailer } from './notifications/mailer.ts'
export { Insights } from './telemetry/insights/insights.ts'

/**
 * Entry point of the card page in a local deployment, which serves the card page on a separate port
 * (worker-runtime.ts).
 */
export class CardPage extends WorkerEntrypoint<Env> {
  fetch(request: Request): Response | Promise<Response> {
    return cardApp.fetch(request, this.env, this.ctx)
  }
}

const app = new Hono<AppEnv>()
// Requests for the card page arrive here if the card page has its own hostname or shares the provider's origin.
app.use(async (c, next) =>
  isCardPageRequest(c.req.raw, c.env) ? cardApp.fetch(c.req.raw, c.env, c.executionCtx) : next(),
)
app.use(setProviderSecurityHeaders)
app.use(async (c, next) => {
  const missing = describeMissingEnvironment(c.env)
  if (missing !== null) throw new ApiError(503, 503, missing)
  await next()
})
app.use(traceProviderRequest)

// Let the health check respond while `hashLegacyIdsOnce` migrates rows of an earlier version.
app.use((c, next) => (c.req.path === '/healthz' ? next() : hashLegacyIdsOnce(c, next)))
app.get('/healthz', (c) => c.json({ code: 200 }))
identityRoutes(app)
billingRoutes(app)
paymentRoutes(app)
stripeWebhookRoutes(app)
purchaseRoutes(app)
homeRoutes(app)
searchRoutes(app)
cancellationRoutes(app)
couponRoutes(app)
dataExportRoutes(app)
planSimulationRoutes(app)
peopleRoutes(app)
cameraRoutes(app)
bridgeRoutes(app)
mediaRoutes(app)
platformRoutes(app)
homeMonitoringRoutes(app)
messageRoutes(app)
mailRoutes(app)
telemetryRoutes(app)
insightsRoutes(app)
collectorRoutes(app)
activityRoutes(app)
accountDeletionRoutes(app)
adminRoutes(app)
reconciliationRoutes(app)

app.notFound(() => {
  throw notFound()
})
app.onError(onError)

export default app
