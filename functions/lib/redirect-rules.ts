import { redirectRules, type RedirectRules } from '../../src/domain/redirect.ts'
import type { Settings } from './env.ts'

/** Where this deployment lets redirects go. */
export const rulesOf = (settings: Settings): RedirectRules =>
  redirectRules({
    portalOrigin: settings.PORTAL_ORIGIN,
    providerOrigin: settings.PROVIDER_ORIGIN,
    paymentOrigin: settings.PAYMENT_ORIGIN,
    ownDomain: settings.OWN_DOMAIN,
    paymentDomain: settings.PAYMENT_DOMAIN,
  })
