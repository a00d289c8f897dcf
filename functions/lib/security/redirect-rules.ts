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

/** Where this deployment lets redirects go that come from outside. */
export const getRedirectRules = (settings: Settings): RedirectRules =>
  rulesWith(settings, redirectablePayment(settings.PAYMENT_DOMAIN, settings.OWN_DOMAIN))

/** Where the card page may be that the provider names. */
export const cardPageRules = (settings: Settings): RedirectRules => rulesWith(settings, settings.PAYMENT_DOMAIN)
