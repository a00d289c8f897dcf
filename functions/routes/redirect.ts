import { Hono } from 'hono'
import { REDIRECT_FALLBACK, redirectRules, safeRedirect } from '../../src/domain/redirect.ts'
import type { EdgeEnv } from '../lib/context.ts'

/** `GET /api/redirect?url=`: on to an accepted address, else to the fallback (REDIRECT-09). */
export const redirect = new Hono<EdgeEnv>().get('/', (c) => {
  const { settings } = c.var
  const rules = redirectRules({
    portalOrigin: settings.PORTAL_ORIGIN,
    providerOrigin: settings.PROVIDER_ORIGIN,
    ownDomain: settings.OWN_DOMAIN,
    paymentDomain: settings.PAYMENT_DOMAIN,
  })
  const given = c.req.queries('url') ?? []
  return c.redirect(given.length === 1 ? safeRedirect(given[0], rules) : REDIRECT_FALLBACK, 302)
})
