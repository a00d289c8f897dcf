import { createHash } from 'node:crypto'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { PROVIDER_PAGE_STYLE } from './page-styles.ts'

type PageResponse = Pick<KoaContextWithOIDC, 'status' | 'type' | 'body' | 'set'>

const styleHash = createHash('sha256').update(PROVIDER_PAGE_STYLE).digest('base64')

/**
 * Returns the headers of a page. `form-action` allows the portal, because browsers also check the redirect after
 * sign-in. The referrer policy is `same-origin`, because browsers would send `Origin: null` with form posts under
 * `no-referrer`.
 */
export function pageHeaders(portalOrigin: string, script?: string): Record<string, string> {
  return {
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
    'Content-Security-Policy': [
      "default-src 'none'",
      ...(script === undefined ? [] : [`script-src ${script}`]),
      `style-src 'sha256-${styleHash}'`,
      "font-src 'self'",
      "img-src 'self'",
      // Allows page audits to fetch robots.txt from the page. Allows no other server.
      "connect-src 'self'",
      `form-action 'self' ${portalOrigin}`,
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ].join('; '),
  }
}

export function sendPage(ctx: PageResponse, status: number, html: string, portalOrigin: string, script?: string): void {
  ctx.status = status
  ctx.type = 'text/html; charset=utf-8'
  for (const [name, value] of Object.entries(pageHeaders(portalOrigin, script))) ctx.set(name, value)
  ctx.body = html
}
