/**
 * Hosts that serve the payment pages of many merchants. An external redirect to such a host could reach any of these
 * merchants.
 */
const SHARED_HOSTS: readonly string[] = ['checkout.stripe.com', 'buy.stripe.com', 'billing.stripe.com']

/**
 * Returns the payment domain that external redirects may use: the configured domain, or `ownDomain` if the configured
 * one is a shared host.
 */
export const redirectablePayment = (paymentDomain: string, ownDomain: string): string =>
  SHARED_HOSTS.some((host) => host === paymentDomain.toLowerCase() || host.endsWith(`.${paymentDomain.toLowerCase()}`))
    ? ownDomain
    : paymentDomain
