import { Hono } from 'hono'
import { notFound, ApiError } from '../../../platform/api-error.ts'
import { type AppEnv, type Env, describeMissingEnvironment } from '../../../env.ts'
import { onError } from '../../../platform/http/on-error.ts'
import { setProviderSecurityHeaders } from '../../../platform/http/security-headers.ts'
import { cardRoutes } from './routes.ts'
import { hasCardPage } from '../select-gateway.ts'
import { traceProviderRequest } from '../../../telemetry/error-reporting.ts'

/** App of the card page. Normally, it has its own origin, separate from the rest of the provider. */
export const cardApp = new Hono<AppEnv>()
cardApp.use(setProviderSecurityHeaders)
cardApp.use(async (c, next) => {
  const missing = describeMissingEnvironment(c.env)
  if (missing !== null) throw new ApiError(503, 503, missing)
  await next()
})
cardApp.use(traceProviderRequest)
cardApp.get('/healthz', (c) => c.json({ code: 200 }))
cardApp.use(async (c, next) => {
  if (!hasCardPage(c.env)) throw notFound()
  await next()
})
cardRoutes(cardApp)
cardApp.notFound(() => {
  throw notFound()
})
cardApp.onError(onError)

/** Paths of the card page on a shared origin, such as in a preview without a second hostname. */
const SHARED_ORIGIN_PATHS = ['/card', '/assets/card.js']

/**
 * Returns true if a request is for the card page. Compares the host or, if card page and provider share a host, the
 * path.
 */
export function isCardPageRequest(request: Request, { PAYMENT_ORIGIN, PROVIDER_ORIGIN }: Partial<Env>): boolean {
  const { host, pathname } = new URL(request.url)
  if (PAYMENT_ORIGIN === PROVIDER_ORIGIN) return SHARED_ORIGIN_PATHS.includes(pathname)
  return PAYMENT_ORIGIN !== undefined && URL.canParse(PAYMENT_ORIGIN) && host === new URL(PAYMENT_ORIGIN).host
}
