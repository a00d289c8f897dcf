import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../../env.ts'

/** Default headers of API responses. They forbid browsers to cache, frame or execute the data. */
const DEFAULT_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const
const HSTS_VALUE = 'max-age=63072000; includeSubDomains'
const SWITCHING_PROTOCOLS = 101

/** Sets the default headers that a response lacks. Pages and media set their own. Skips WebSocket upgrades. */
export const setProviderSecurityHeaders: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next()
  if (c.res.status === SWITCHING_PROTOCOLS) return
  for (const [name, value] of Object.entries(DEFAULT_HEADERS)) if (!c.res.headers.has(name)) c.header(name, value)
  const isSecure = c.env.PROVIDER_ORIGIN?.startsWith('https:')
  if (isSecure && !c.res.headers.has('strict-transport-security')) c.header('strict-transport-security', HSTS_VALUE)
}
