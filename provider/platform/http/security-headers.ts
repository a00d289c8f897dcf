import type { MiddlewareHandler } from 'hono'
import { getHstsValue } from '../../../contract/wire/constants.ts'
import { CLOSED_DOCUMENT_POLICY, isDocumentType } from '../../../contract/wire/document-policy.ts'
import type { AppEnv } from '../../env.ts'

/**
 * Default headers of API responses. They forbid browsers to cache or execute the response, or to show it in a frame.
 */
const DEFAULT_HEADERS = {
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const
const SWITCHING_PROTOCOLS = 101

/**
 * Sets the default headers, and HSTS if the provider uses HTTPS. Keeps headers that the response already has, such as
 * those of pages and media. Only documents have a CSP. Does not change WebSocket upgrades.
 */
export const setProviderSecurityHeaders: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next()
  if (c.res.status === SWITCHING_PROTOCOLS) return
  for (const [name, value] of Object.entries(DEFAULT_HEADERS)) if (!c.res.headers.has(name)) c.header(name, value)
  const { headers } = c.res
  if (isDocumentType(headers.get('content-type')) && !headers.has('content-security-policy'))
    c.header('content-security-policy', CLOSED_DOCUMENT_POLICY)
  const hsts = getHstsValue(c.env.PROVIDER_ORIGIN)
  if (hsts !== null) c.header('strict-transport-security', hsts)
}
