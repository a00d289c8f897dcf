import { Hono } from 'hono'
import { REDIRECT_FALLBACK, toSafeRedirect } from '../../src/domain/navigation/safe-redirect.ts'
import type { EdgeEnv } from '../lib/edge-context.ts'
import { getRedirectRules } from '../lib/security/deployment-redirect-rules.ts'

/** `GET /api/redirect?url=`: redirects to an accepted URL, else to the fallback (REDIRECT-09). */
export const redirectRoutes = new Hono<EdgeEnv>().get('/', (c) => {
  const urls = c.req.queries('url') ?? []
  const target = urls.length === 1 ? toSafeRedirect(urls[0], getRedirectRules(c.var.settings)) : REDIRECT_FALLBACK
  return c.redirect(target, 302)
})
