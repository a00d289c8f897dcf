import { WorkerEntrypoint } from 'cloudflare:workers'
import { Hono } from 'hono'
import { activityRoutes } from './activity/routes.ts'
import { adminRoutes } from './admin/routes.ts'
import { billingRoutes } from './billing/routes.ts'
import { bookRoutes } from './books/routes.ts'
import { bridgeRoutes } from './bridge/routes.ts'
import { cameraRoutes } from './camera/routes.ts'
import { cardApp, isCardAddress } from './card-app.ts'
import { collectorRoutes } from './collector/routes.ts'
import { type AppEnv, type Env, missingEnvironment } from './env.ts'
import { peopleRoutes } from './people/routes.ts'
import { homeRoutes } from './home/routes.ts'
import { onError } from './http/on-error.ts'
import { securityHeaders } from './http/security-headers.ts'
import { notFound, Refusal } from './base/refusal.ts'
import { afterOldRows } from './identity/old-rows.ts'
import { identityRoutes } from './identity/routes.ts'
import { leaveAccountRoutes } from './leave-account/routes.ts'
import { leaveRoutes } from './leave/routes.ts'
import { mailRoutes } from './pages/mail-routes.ts'
import { mediaRoutes } from './media/routes.ts'
import { messageRoutes } from './messages/routes.ts'
import { pageRoutes } from './pages/routes.ts'
import { gatewayEvents } from './purchase/gateway-events.ts'
import { paymentRoutes } from './purchase/payment-routes.ts'
import { purchaseRoutes } from './purchase/routes.ts'
import { platformRoutes } from './platform/routes.ts'
import { searchRoutes } from './search/routes.ts'
import { redeemRoutes } from './redeem/routes.ts'
import { tracing } from './telemetry/failures.ts'
import { takeRoutes } from './take/routes.ts'
import { insightsRoutes } from './telemetry/insights-routes.ts'
import { telemetryRoutes } from './telemetry/routes.ts'
import { truthRoutes } from './truth/routes.ts'

export { ActivityLog } from './activity/activity-log.ts'
export { Guard } from './guard/guard.ts'
export { AccountLeave } from './leave-account/account-leave.ts'
export { Ledger } from './ledger/ledger.ts'
export { EmbeddedGateway } from './payment/embedded-gateway.ts'
export { Bridge } from './bridge/bridge.ts'
export { Camera } from './camera/camera.ts'
export { Home } from './home/home.ts'
export { Mailer } from './messages/mailer.ts'
export { Insights } from './telemetry/insights.ts'

/** What listens where the card page alone is served: the third port of one machine (scripts/lib/worker-runtime.ts). */
export class CardPage extends WorkerEntrypoint<Env> {
  fetch(request: Request): Response | Promise<Response> {
    return cardApp.fetch(request, this.env, this.ctx)
  }
}

const app = new Hono<AppEnv>()
// Elsewhere the name that was asked for tells that page from the rest.
app.use(async (c, next) => (isCardAddress(c.req.raw, c.env) ? cardApp.fetch(c.req.raw, c.env, c.executionCtx) : next()))
app.use(securityHeaders)
app.use(async (c, next) => {
  const missing = missingEnvironment(c.env)
  if (missing !== null) throw new Refusal(503, 503, missing)
  await next()
})
app.use(tracing)

// Whether it runs is said while rows of an earlier version are still read.
app.use((c, next) => (c.req.path === '/healthz' ? next() : afterOldRows(c, next)))
app.get('/healthz', (c) => c.json({ code: 200 }))
identityRoutes(app)
billingRoutes(app)
paymentRoutes(app)
gatewayEvents(app)
purchaseRoutes(app)
homeRoutes(app)
searchRoutes(app)
leaveRoutes(app)
redeemRoutes(app)
takeRoutes(app)
truthRoutes(app)
peopleRoutes(app)
cameraRoutes(app)
bridgeRoutes(app)
mediaRoutes(app)
platformRoutes(app)
pageRoutes(app)
messageRoutes(app)
mailRoutes(app)
telemetryRoutes(app)
insightsRoutes(app)
collectorRoutes(app)
activityRoutes(app)
leaveAccountRoutes(app)
adminRoutes(app)
bookRoutes(app)

app.notFound(() => {
  throw notFound()
})
app.onError(onError)

export default app
