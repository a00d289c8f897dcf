import { redirectablePayment } from '../../../contract/billing/payment-domain.ts'
import { redirectRules, type RedirectRules } from '../../../src/domain/navigation/safe-redirect.ts'
import type { Settings } from '../settings.ts'

const rulesWith = (settings: Settings, paymentDomain: string): RedirectRules =>
  redirectRules({
    portalOrigin: settings.PORTAL_ORIGIN,
    providerOrigin: settings.PROVIDER_ORIGIN,
    paymentOrigin: settings.PAYMENT_ORIGIN,
    ownDomain: settings.OWN_DOMAIN,
    paymentDomain,
  })

/** Returns the redirect rules for targets that come from outside. */
export const getRedirectRules = (settings: Settings): RedirectRules =>
  rulesWith(settings, redirectablePayment(settings.PAYMENT_DOMAIN, settings.OWN_DOMAIN))

/** Returns the redirect rules for the card page that the provider names. */
export const cardPageRules = (settings: Settings): RedirectRules => rulesWith(settings, settings.PAYMENT_DOMAIN)
