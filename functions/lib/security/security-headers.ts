import type { MiddlewareHandler } from 'hono'
import { getHstsValue } from '../../../contract/wire/constants.ts'
import { CLOSED_DOCUMENT_POLICY, isDocumentType } from '../../../contract/wire/document-policy.ts'
import type { EdgeEnv } from '../edge-context.ts'

/** Headers of the Worker's responses, except those of `documentRoutes`. Documents have their own set in `_headers`. */
const SECURITY_HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const

/**
 * Sets the security headers. Only documents have a CSP, and a page that has its own keeps it. Responses without
 * `cache-control` become `no-store`.
 */
export const setEdgeSecurityHeaders: MiddlewareHandler<EdgeEnv> = async (c, next) => {
  await next()
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) c.header(name, value)
  const { headers } = c.res
  if (isDocumentType(headers.get('content-type')) && !headers.has('content-security-policy'))
    c.header('content-security-policy', CLOSED_DOCUMENT_POLICY)
  // Checks `PORTAL_ORIGIN`, because behind a proxy the request itself arrives over HTTP.
  const hsts = getHstsValue(String(c.env['PORTAL_ORIGIN']))
  if (hsts !== null) c.header('strict-transport-security', hsts)
  if (!c.res.headers.has('cache-control')) c.header('cache-control', 'no-store')
}
