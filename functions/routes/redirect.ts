import { Hono } from 'hono'
import { REDIRECT_FALLBACK, safeRedirect } from '../../src/domain/navigation/safe-redirect.ts'
import type { EdgeEnv } from '../lib/edge-context.ts'
import { rulesOf } from '../lib/security/redirect-rules.ts'

/** `GET /api/redirect?url=`: on to an accepted address, else to the fallback (REDIRECT-09). */
export const redirect = new Hono<EdgeEnv>().get('/', (c) => {
  const given = c.req.queries('url') ?? []
  const target = given.length === 1 ? safeRedirect(given[0], rulesOf(c.var.settings)) : REDIRECT_FALLBACK
  return c.redirect(target, 302)
})
