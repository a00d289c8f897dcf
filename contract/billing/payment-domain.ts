/** Hosts that serve the payment pages of many merchants. A redirect to such a host could reach any merchant. */
const SHARED_HOSTS: readonly string[] = ['checkout.stripe.com', 'buy.stripe.com', 'billing.stripe.com']

/**
 * Returns the payment domain that external redirects may use: the configured domain or, if that domain includes a
 * shared host, `ownDomain`.
 */
export const getRedirectablePaymentDomain = (paymentDomain: string, ownDomain: string): string =>
  SHARED_HOSTS.some((host) => host === paymentDomain.toLowerCase() || host.endsWith(`.${paymentDomain.toLowerCase()}`))
    ? ownDomain
    : paymentDomain
