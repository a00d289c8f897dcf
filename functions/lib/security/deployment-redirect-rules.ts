import { getRedirectablePaymentDomain } from '../../../contract/billing/payment-domain.ts'
import { createRedirectRules, type RedirectRules } from '../../../src/domain/navigation/safe-redirect.ts'
import type { Settings } from '../settings.ts'

const createRules = (settings: Settings, paymentDomain: string): RedirectRules =>
  createRedirectRules({
    portalOrigin: settings.PORTAL_ORIGIN,
    providerOrigin: settings.PROVIDER_ORIGIN,
    paymentOrigin: settings.PAYMENT_ORIGIN,
    ownDomain: settings.OWN_DOMAIN,
    paymentDomain,
  })

/** Returns the redirect rules for untrusted targets, such as URLs in a query. */
export const getRedirectRules = (settings: Settings): RedirectRules =>
  createRules(settings, getRedirectablePaymentDomain(settings.PAYMENT_DOMAIN, settings.OWN_DOMAIN))

/** Returns the redirect rules for the card page URL that the provider returns. */
export const getCardPageRules = (settings: Settings): RedirectRules => createRules(settings, settings.PAYMENT_DOMAIN)
