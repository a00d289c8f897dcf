import type { Hono } from 'hono'
import type { AppEnv } from '../../env.ts'
import { pageHeaders } from '../../identity/pages/send-page.ts'
import { selectGateway } from '../payment/select-gateway.ts'
import { isOnSale } from './plan-availability.ts'
import { renderHomeMonitoringPage } from './home-monitoring-page.ts'

export function homeMonitoringRoutes(app: Hono<AppEnv>): void {
  app.get('/home-monitoring', (c) => {
    const { PORTAL_ORIGIN } = c.env
    return c.html(
      renderHomeMonitoringPage(PORTAL_ORIGIN, selectGateway(c.env) !== null && isOnSale('hms', c.env)),
      200,
      pageHeaders(PORTAL_ORIGIN),
    )
  })
}
