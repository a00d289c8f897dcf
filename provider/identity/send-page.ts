import { createHash } from 'node:crypto'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { STYLE } from './style.ts'

type Answer = Pick<KoaContextWithOIDC, 'status' | 'type' | 'body' | 'set'>

const styleHash = createHash('sha256').update(STYLE).digest('base64')

/**
 * Sends one of the provider's own pages. `portalOrigin`: where the sign-in form's answer ends up, since browsers check
 * `form-action` along redirects too. The referrer stays within the origin, so that forms are posted with their Origin.
 */
export function sendPage(ctx: Answer, status: number, html: string, portalOrigin: string): void {
  ctx.status = status
  ctx.type = 'text/html; charset=utf-8'
  ctx.set('Cache-Control', 'no-store')
  ctx.set('X-Content-Type-Options', 'nosniff')
  ctx.set('Referrer-Policy', 'same-origin')
  ctx.set('Cross-Origin-Opener-Policy', 'same-origin')
  ctx.set('Permissions-Policy', 'camera=(), microphone=(), geolocation=()')
  ctx.set('Strict-Transport-Security', 'max-age=31536000; includeSubDomains')
  ctx.set(
    'Content-Security-Policy',
    [
      "default-src 'none'",
      `style-src 'sha256-${styleHash}'`,
      "font-src 'self'",
      "img-src 'self'",
      `form-action 'self' ${portalOrigin}`,
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ].join('; '),
  )
  ctx.body = html
}
